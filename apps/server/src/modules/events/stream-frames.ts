import { formatPosition, positionOf, type SequencedRow } from './commit-order.repo.ts'
import { toSecurityEvent } from './stored-event.ts'

/** A slow reader must be able to take a whole frame before it is cut off, or it would never move on. */
const FRAME_CHARACTERS_MAX = 256 * 1024

/** Rows as `events` frames of a bounded size, each with the place from which a reader may resume. */
export function framesOf(rows: readonly SequencedRow[]): string {
  let frames = ''
  let texts: string[] = []
  let length = 0
  for (const [index, row] of rows.entries()) {
    const text = JSON.stringify(toSecurityEvent(row))
    texts.push(text)
    length += text.length
    if (length < FRAME_CHARACTERS_MAX && index < rows.length - 1) continue
    const id = formatPosition(positionOf(row))
    frames += `event: events\nid: ${id}\ndata: [${texts.join(',')}]\n\n`
    texts = []
    length = 0
  }
  return frames
}
