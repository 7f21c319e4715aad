/** Columns as wide as their widest cell; the last one runs free. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows.map(cleanRow)]
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => widthOf(line[column] ?? ''))),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One thing, a line for each of its facts. */
export function formatFacts(facts: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(facts).map(widthOf))
  return Object.entries(facts)
    .map(([name, value]) => `${pad(name, width)}  ${clean(value)}`.trimEnd())
    .join('\n')
}

/** Names come from others: one must not be able to move the cursor or turn the text around. */
export function clean(text: string): string {
  return text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
}

function cleanRow(row: readonly string[]): readonly string[] {
  return row.map(clean)
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

function widthOf(text: string): number {
  return Array.from(characters.segment(text)).length
}
