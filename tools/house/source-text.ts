/**
 * One source file taken apart. Both texts have the length and the lines of the original, so that a
 * position in one is a position in the other.
 */
export interface SourceText {
  /** The program: comments, template texts and regular expressions are blanked out, quoted strings kept. */
  readonly code: string
  /** The same without the quoted strings. */
  readonly bareCode: string
  /** The comments alone. */
  readonly comments: string
}

const REGEX_MAY_FOLLOW =
  /(?:^|[([{},;=:?!&|+\-*%^~<>]|\b(?:return|typeof|case|in|of|do|else|void|await|yield|throw))\s*$/

/** Written out because a search for `import` or `process.` must not find the words in a text or a comment. */
export function takeApart(text: string): SourceText {
  const code = blankOf(text)
  const bareCode = blankOf(text)
  const comments = blankOf(text)
  const keep = (target: string[], start: number, end: number) => {
    for (let index = start; index < end; index += 1) target[index] = text.charAt(index)
  }
  /** Depths of `{` at which the code inside `${ }` of a template began. */
  const templates: number[] = []
  let depth = 0
  let index = 0
  while (index < text.length) {
    const char = text.charAt(index)
    const start = index
    if (text.startsWith('//', index) || text.startsWith('/*', index)) {
      index = endOfComment(text, index)
      keep(comments, start, index)
    } else if (char === "'" || char === '"') {
      index = endOfQuoted(text, index, char)
      keep(code, start, index)
    } else if (char === '`' || (char === '}' && templates.at(-1) === depth)) {
      if (char === '}') templates.pop()
      index = endOfTemplatePart(text, index + 1)
      keep(code, start, start + 1)
      keep(bareCode, start, start + 1)
      if (text.startsWith('${', index - 2) && text.charAt(index - 1) === '{') templates.push(depth)
    } else if (char === '/' && regexMayFollow(bareCode, index)) {
      index = endOfRegex(text, index)
    } else {
      if (char === '{') depth += 1
      if (char === '}') depth -= 1
      index += 1
      keep(code, start, index)
      keep(bareCode, start, index)
    }
  }
  return { code: code.join(''), bareCode: bareCode.join(''), comments: comments.join('') }
}

function blankOf(text: string): string[] {
  return Array.from({ length: text.length }, (_, index) =>
    text.charAt(index) === '\n' ? '\n' : ' ',
  )
}

function regexMayFollow(before: string[], index: number): boolean {
  return REGEX_MAY_FOLLOW.test(before.slice(Math.max(0, index - 40), index).join(''))
}

function endOfComment(text: string, index: number): number {
  const isLine = text.charAt(index + 1) === '/'
  const end = text.indexOf(isLine ? '\n' : '*/', index + 2)
  if (end === -1) return text.length
  return isLine ? end : end + 2
}

function endOfQuoted(text: string, start: number, quote: string): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const char = text.charAt(index)
    if (char === '\\') index += 1
    else if (char === quote) return index + 1
    else if (char === '\n') return index
  }
  return text.length
}

/** Ends behind the closing backtick, or behind the `${` that opens code inside of the template. */
function endOfTemplatePart(text: string, start: number): number {
  for (let index = start; index < text.length; index += 1) {
    const char = text.charAt(index)
    if (char === '\\') index += 1
    else if (char === '`') return index + 1
    else if (char === '$' && text.charAt(index + 1) === '{') return index + 2
  }
  return text.length
}

function endOfRegex(text: string, start: number): number {
  let inClass = false
  for (let index = start + 1; index < text.length; index += 1) {
    const char = text.charAt(index)
    if (char === '\\') index += 1
    else if (char === '\n') return index
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) return index + 1
  }
  return text.length
}

export function lineAt(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1))
    line += 1
  return line
}
