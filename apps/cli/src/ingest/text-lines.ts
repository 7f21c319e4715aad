import { Failure } from '../exit-code.ts'

export interface TextLine {
  /** Counted from 1. */
  readonly line: number
  readonly text: string
}

/** A line that has not ended is kept in memory, so it may not grow for ever. */
const LINE_CHARACTERS_MAX = 256 * 1024 * 1024

/** Bytes cut anywhere as lines of text. */
export async function* textLines(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<TextLine, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 0
  let rest: string[] = []
  let restCharacters = 0
  for await (const piece of pieces) {
    const parts = decode(decoder, piece).split('\n')
    for (const part of parts.slice(0, -1)) {
      yield { line: ++line, text: withoutCr([...rest, part].join('')) }
      rest = []
      restCharacters = 0
    }
    const last = parts.at(-1) ?? ''
    rest.push(last)
    restCharacters += last.length
    if (restCharacters > LINE_CHARACTERS_MAX) {
      throw new Failure(`Line ${line + 1} is too long: give one event on each line.`)
    }
  }
  const text = withoutCr(rest.join('') + decode(decoder))
  if (text !== '') yield { line: ++line, text }
}

function decode(decoder: TextDecoder, piece?: Uint8Array): string {
  try {
    return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true })
  } catch {
    throw new Failure('The input is not UTF-8.')
  }
}

function withoutCr(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
