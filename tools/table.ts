/** Columns of text, each as wide as its widest cell; numbers are easier to read flush right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const isNumeric = head.map(
    (_, column) => rows.length > 0 && rows.every((row) => /^[\d.,x%-]*$/.test(row[column] ?? '')),
  )
  return all
    .map((row) =>
      widths
        .map((width, column) => {
          const cell = row[column] ?? ''
          return isNumeric[column] === true ? cell.padStart(width) : cell.padEnd(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
