import type { Clock } from '@merlon/base'
import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/tx.ts'
import { defineJob, enqueue, type JobDefinition } from '../../jobs/index.ts'
import { SendError, type Sender } from '../../net/index.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import {
  findDue,
  park,
  readEvents,
  settleAttempt,
  type DueDelivery,
  type Settlement,
} from './attempt.repo.ts'
import { pauseMs, retryDelayMs } from './retry.ts'
import { signatureOf } from './signature.ts'
import { noteFailure, noteSuccess, switchOff } from './webhooks.repo.ts'

const KIND = 'webhooks.deliver'
/** These are attempts at the job, not at the receiver: it fails only if the database does. */
const JOB_ATTEMPTS_MAX = 10_000

interface Payload {
  readonly deliveryId: string
  /** How many attempts there were before: a job that comes too late finds another number. */
  readonly attempts: number
}

export interface DeliverDeps {
  readonly keyring: Keyring
  readonly sender: Sender
  readonly random: () => number
}

export async function enqueueDelivery(
  db: Db,
  { id, attempts }: Pick<DueDelivery, 'id' | 'attempts'>,
  clock: Clock,
  runAt?: Date,
): Promise<void> {
  const payload: Payload = { deliveryId: id, attempts }
  await enqueue(db, { kind: KIND, payload, ...(runAt === undefined ? {} : { runAt }) }, clock)
}

/**
 * One attempt at one delivery. A crash between the receiver's answer and our note of it sends the
 * delivery again, under the same id: receivers see it at least once.
 */
export function deliverJob(deps: DeliverDeps): JobDefinition<Payload> {
  return defineJob<Payload>({
    kind: KIND,
    attemptsMax: JOB_ATTEMPTS_MAX,
    async run({ payload, db, clock, signal }) {
      const due = await findDue(db, payload.deliveryId, payload.attempts)
      if (due === undefined) return
      if (!due.enabled) return park(db, due)
      const body = await bodyOf(db, due)
      const outcome =
        body === undefined ? GONE : await attempt(due, body, { ...deps, clock, signal })
      await settle(db, due, outcome, { clock, random: deps.random })
    },
  })
}

interface Outcome {
  readonly responseStatus: number | null
  /** Undefined when the receiver took it. */
  readonly error: string | undefined
  readonly final?: 'switch-off' | 'give-up'
}

const GONE: Outcome = {
  responseStatus: null,
  error: 'The events of this delivery are no longer stored.',
  final: 'give-up',
}

async function bodyOf(db: Db, due: DueDelivery): Promise<string | undefined> {
  const events = due.testEvent === null ? await readEvents(db, due) : [due.testEvent]
  if (events.length === 0) return undefined
  return JSON.stringify({
    id: due.bodyId,
    type: 'events',
    appId: due.appId,
    createdAt: due.bodyCreatedAt.toISOString(),
    events,
  })
}

async function attempt(
  due: DueDelivery,
  body: string,
  { keyring, sender, clock, signal }: DeliverDeps & { clock: Clock; signal: AbortSignal },
): Promise<Outcome> {
  try {
    const { status } = await sender.send({
      method: 'POST',
      url: due.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Merlon-Webhooks/1',
        'merlon-delivery': due.id,
        'merlon-signature': signatureOf(
          keyring.open(due.webhookId, due.secretSealed),
          body,
          clock.now(),
        ),
      },
      body,
      signal,
    })
    return judge(status)
  } catch (error) {
    if (!(error instanceof SendError)) throw error
    return { responseStatus: null, error: error.message }
  }
}

function judge(status: number): Outcome {
  if (status >= 200 && status < 300) return { responseStatus: status, error: undefined }
  if (status === 410) {
    const error = 'The receiver answered 410 Gone, so the webhook was switched off.'
    return { responseStatus: status, error, final: 'switch-off' }
  }
  const why = status >= 300 && status < 400 ? '; redirects are not followed' : ''
  return { responseStatus: status, error: `The receiver answered ${status}${why}.` }
}

async function settle(
  db: Db,
  due: DueDelivery,
  outcome: Outcome,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
): Promise<void> {
  const now = clock.now()
  const { responseStatus, error = null } = outcome
  const delay =
    error === null || outcome.final !== undefined
      ? undefined
      : retryDelayMs(due.attempts + 1, random)
  const nextAttemptAt = delay === undefined ? null : new Date(now + delay)
  const status: Settlement['status'] =
    error === null ? 'delivered' : nextAttemptAt === null ? 'failed' : 'pending'
  await inTransaction(db, async (tx) => {
    const settlement = { status, responseStatus, error, nextAttemptAt, now: new Date(now) }
    if (!(await settleAttempt(tx, due, settlement))) return
    if (nextAttemptAt !== null) {
      await enqueueDelivery(tx, { id: due.id, attempts: due.attempts + 1 }, clock, nextAttemptAt)
    }
    if (outcome.final === 'give-up') return
    if (error === null) return noteSuccess(tx, due.webhookId, new Date(now))
    await noteFailure(tx, due.webhookId, { now, pauseMs })
    if (outcome.final === 'switch-off') await switchOff(tx, due.webhookId)
  })
}
