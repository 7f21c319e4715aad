import { retryDelayMs } from './backoff.ts'
import { PermanentJobError, type AbortReason } from './job.ts'
import { boundedText, jsonText } from './json-text.ts'
import type { Settlement, TakenJob } from './lease.repo.ts'

export type Outcome = { readonly returned: unknown } | { readonly threw: unknown }

const ERROR_CHARACTERS_MAX = 2_000
const RESULT_CHARACTERS_MAX = 1_000_000

/** What a job's row becomes; undefined when the row is no longer ours to write. */
export function settlementOf(
  job: TakenJob,
  outcome: Outcome,
  aborted: AbortReason | undefined,
  at: { readonly nowMs: number; readonly random: () => number },
): Settlement | undefined {
  const { id, attempt } = job
  if (aborted === 'lease-lost') return undefined
  if (aborted === 'cancelled') return { id, attempt, status: 'cancelled' }
  if ('returned' in outcome) return completed(job, outcome.returned)
  if (aborted === 'shutdown') {
    return { id, attempt, status: 'queued', runAt: new Date(at.nowMs), handedBack: true }
  }
  const error = describeError(outcome.threw)
  if (outcome.threw instanceof PermanentJobError || attempt >= job.attemptsMax) {
    return { id, attempt, status: 'failed', error }
  }
  const runAt = new Date(at.nowMs + retryDelayMs(attempt, at.random))
  return { id, attempt, status: 'queued', error, runAt }
}

function completed({ id, attempt }: TakenJob, result: unknown): Settlement {
  if (result === undefined) return { id, attempt, status: 'completed' }
  let resultText: string
  try {
    resultText = jsonText(result)
  } catch (error) {
    const sentence = `The result cannot be kept as JSON: ${describeError(error)}`
    return { id, attempt, status: 'failed', error: sentence }
  }
  if (resultText.length > RESULT_CHARACTERS_MAX) {
    const sentence = `The result has ${resultText.length} characters; at most ${RESULT_CHARACTERS_MAX} are kept.`
    return { id, attempt, status: 'failed', error: sentence }
  }
  return { id, attempt, status: 'completed', resultText }
}

export function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return boundedText(text, ERROR_CHARACTERS_MAX)
}
