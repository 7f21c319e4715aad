import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { eventLimits } from '@merlon/contract'
import { parse as parseSecurely } from 'secure-json-parse'
import { problem } from '../../http/problem.ts'

const unzip = promisify(gunzip)

/** Unpacks a compressed body, and stops as soon as it grows over what a plain one may be. */
export async function decompress(raw: Buffer, encoding: string | undefined): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') return raw
  if (encoding !== 'gzip') {
    throw problem('unsupported-media-type', 'The Content-Encoding must be gzip, or be left out.')
  }
  try {
    return await unzip(raw, { maxOutputLength: eventLimits.bodyBytes })
  } catch (error) {
    const tooLarge =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw tooLarge
      ? problem('too-large', 'The body is larger than 1 MiB when unpacked.', { cause: error })
      : problem('invalid', 'The body is not valid gzip.', { cause: error })
  }
}

/**
 * One event or a list of them. Keys that could poison a prototype are dropped, not refused: an
 * event about an attack often carries the attack, and must not be lost for it.
 */
export function parseEvents(raw: Buffer): readonly unknown[] {
  if (raw.length === 0)
    throw problem('invalid', 'The body is empty: an event or a list of events is required.')
  if (!isUtf8(raw)) throw problem('invalid', 'The body is not valid UTF-8.')
  let value: unknown
  try {
    value = parseSecurely(raw.toString('utf8'), null, {
      protoAction: 'remove',
      constructorAction: 'remove',
    })
  } catch (error) {
    throw problem('invalid', 'The body is not valid JSON.', { cause: error })
  }
  if (!Array.isArray(value)) return [value]
  if (value.length === 0) throw problem('invalid', 'The list of events is empty.')
  if (value.length > eventLimits.eventsPerRequest) {
    throw problem(
      'invalid',
      `At most ${eventLimits.eventsPerRequest} events are taken at once; these are ${value.length}.`,
    )
  }
  return value
}
