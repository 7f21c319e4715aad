import { createHash } from 'node:crypto'
import { fieldMatcher, type FieldMatcher } from '@merlon/base'
import { endpoints, type AppSettings, type EventInput } from '@merlon/contract'
import { implementRaw } from '../../http/implement.ts'
import { problem } from '../../http/problem.ts'
import { whyNotTaken } from './check-event.ts'
import { findRemembered } from './idempotency.repo.ts'
import { prepareEvent } from './prepare-event.ts'
import { decompress, parseEvents } from './read-body.ts'
import type { StoredEvent } from './stored-event.ts'

interface Answer {
  count: number
  rejected?: { index: number; error: string }[]
}

/** 201 means committed to disk. What is not valid is named by its place, the rest is stored. */
export const ingestEvents = implementRaw(
  endpoints.events.ingestEvents,
  async (call, request, reply) => {
    const { caller, clock, db, events: runtime } = call
    runtime.disk.requireRoom()
    const given = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const raw = await decompress(given, request.headers['content-encoding'])
    const key = idempotencyKey(request.headers['idempotency-key'])
    const bodyHash = key === undefined ? undefined : createHash('sha256').update(raw).digest()
    const repeat = async (): Promise<Answer | undefined> =>
      key === undefined || bodyHash === undefined
        ? undefined
        : earlierAnswer(await findRemembered(db, caller.appId, key), bodyHash)
    const earlier = await repeat()
    if (earlier !== undefined) return reply.code(201).send({ ok: true, data: earlier })

    const inputs = parseEvents(raw)
    const now = clock.now()
    const { taken, rejected } = sortOut(inputs, caller, now, runtime)
    if (taken.length === 0) {
      const [first] = rejected
      throw problem(
        'invalid',
        inputs.length === 1
          ? (first?.error ?? '')
          : `No event is valid. The first: ${first?.error ?? ''}`,
      )
    }
    const answer: Answer =
      rejected.length === 0 ? { count: taken.length } : { count: taken.length, rejected }
    const remember =
      key === undefined || bodyHash === undefined
        ? undefined
        : { appId: caller.appId, key, bodyHash, answerText: JSON.stringify(answer), at: now }
    try {
      await runtime.batcher.submit({ events: taken, remember })
    } catch (error) {
      // The same key, sent twice at once: the one that came second finds the first one's answer.
      const first = isDuplicateKey(error) ? await repeat() : undefined
      if (first === undefined) throw error
      return reply.code(201).send({ ok: true, data: first })
    }
    return reply.code(201).send({ ok: true, data: answer })
  },
)

function sortOut(
  inputs: readonly unknown[],
  caller: { appId: string; settings: AppSettings },
  now: number,
  runtime: { geo: Parameters<typeof prepareEvent>[1]['geo'] },
): { taken: StoredEvent[]; rejected: { index: number; error: string }[] } {
  const { appId, settings } = caller
  const isSensitive = matcherOf(settings)
  const preparation = { appId, now, isSensitive, geo: runtime.geo }
  const taken: StoredEvent[] = []
  const rejected: { index: number; error: string }[] = []
  for (const [index, input] of inputs.entries()) {
    const why = whyNotTaken(input, now, settings.monitor.eventRetentionDays)
    const event = why ?? prepareEvent(input as EventInput, preparation)
    if (typeof event === 'string') rejected.push({ index, error: event })
    else taken.push(event)
  }
  return { taken, rejected }
}

// Settings objects are cached with the credential, so the compiled matcher can hang on them.
const matchers = new WeakMap<object, FieldMatcher>()

function matcherOf(settings: AppSettings): FieldMatcher {
  const known = matchers.get(settings)
  if (known !== undefined) return known
  const made = fieldMatcher(settings.vault.sensitiveFields)
  matchers.set(settings, made)
  return made
}

function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw problem('invalid', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
  }
  return header
}

function earlierAnswer(
  found: Awaited<ReturnType<typeof findRemembered>>,
  bodyHash: Buffer,
): Answer | undefined {
  if (found === undefined) return undefined
  if (!found.bodyHash.equals(bodyHash)) {
    throw problem('conflict', 'This Idempotency-Key was used with another body.')
  }
  return found.answer
}

function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
