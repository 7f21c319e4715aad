/** For each element of a JSON list, the row of the text that it begins on, counted from 0. */
export function elementLines(list: string): readonly number[] {
  const rows: number[] = []
  let row = 0
  let depth = 0
  let isInString = false
  let isExpected = false
  for (let i = 0; i < list.length; i++) {
    const character = list[i] ?? ''
    if (character === '\n') row++
    if (isInString) {
      // The text is known to be valid, so that a backslash always has a character behind it.
      if (character === '\\') i++
      if (character === '"') isInString = false
      continue
    }
    if (/\s/.test(character)) continue
    if (depth === 1 && isExpected && character !== ']') {
      rows.push(row)
      isExpected = false
    }
    if (character === '"') isInString = true
    if (character === '[' || character === '{') depth++
    if (character === ']' || character === '}') depth--
    if (depth === 1 && (character === ',' || rows.length === 0)) isExpected = true
  }
  return rows
}
