import { Failure } from '../exit-code.ts'
import { elementLines } from './element-lines.ts'
import type { TextLine } from './text-lines.ts'

/** An event with the line that it begins on, or what is wrong with that line. */
export type ReadEvent =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly error: string }

/** A list and a written-out object are read as a whole; JSON lines need no such bound. */
const DOCUMENT_CHARACTERS_MAX = 256 * 1024 * 1024

/**
 * The events of an input in any of its three forms, told apart by the first line: JSON lines begin
 * with a whole value that is no list. Everything else is one document, a list or one event.
 */
export async function* readEvents(
  lines: AsyncIterable<TextLine>,
): AsyncGenerator<ReadEvent, void, undefined> {
  const source = withoutBlank(lines)[Symbol.asyncIterator]()
  const { value: first, done } = await source.next()
  if (done === true) return
  if (!first.text.trimStart().startsWith('[') && 'value' in eventOfLine(first)) {
    yield eventOfLine(first)
    for await (const line of { [Symbol.asyncIterator]: () => source }) yield eventOfLine(line)
    return
  }
  const all = [first]
  let characters = first.text.length
  for await (const line of { [Symbol.asyncIterator]: () => source }) {
    all.push(line)
    characters += line.text.length + 1
    if (characters > DOCUMENT_CHARACTERS_MAX) {
      throw new Failure('The input is too large to be read as one list: give JSON lines instead.')
    }
  }
  yield* eventsOfDocument(all)
}

function eventsOfDocument(lines: readonly TextLine[]): readonly ReadEvent[] {
  const text = lines.map((line) => line.text).join('\n')
  const lineOf = (row: number) => lines[row]?.line ?? 0
  const value = parseJson(text)
  if (Array.isArray(value)) {
    const rows = elementLines(text)
    return value.map((event: unknown, i) => ({ line: lineOf(rows[i] ?? 0), value: event }))
  }
  if (value !== undefined) return [{ line: lineOf(0), value }]
  if (text.trimStart().startsWith('[')) {
    throw new Failure('The input begins as a list, but it is not valid JSON as a whole.')
  }
  return lines.map(eventOfLine)
}

function eventOfLine({ line, text }: TextLine): ReadEvent {
  const value = parseJson(text)
  return value === undefined ? { line, error: 'The line is not valid JSON.' } : { line, value }
}

/** The value, or undefined, which no JSON text stands for. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function* withoutBlank(
  lines: AsyncIterable<TextLine>,
): AsyncGenerator<TextLine, void, undefined> {
  for await (const line of lines) if (line.text.trim() !== '') yield line
}
