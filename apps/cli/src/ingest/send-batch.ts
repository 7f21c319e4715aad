import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ApiError, type Client } from '@merlon/client'
import type { Batch, Rejection } from './batches.ts'

const compress = promisify(gzip)

/** Below this, compressing costs more than it saves. */
const PLAIN_BYTES_MAX = 1024

export interface BatchResult {
  readonly count: number
  readonly rejected: readonly Rejection[]
}

/** Sends one batch, as often as it takes: ids and the key let it count once. */
export async function sendBatch(client: Client, batch: Batch, key: string): Promise<BatchResult> {
  const plain = Buffer.from(batch.text)
  const isCompressed = plain.length > PLAIN_BYTES_MAX
  try {
    const { count, rejected = [] } = await client.events.ingestEvents({
      body: undefined,
      rawBody: Uint8Array.from(isCompressed ? await compress(plain) : plain),
      headers: {
        'idempotency-key': key,
        ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
      },
    })
    return {
      count,
      rejected: rejected.map(({ index, error }) => ({ line: batch.lines[index] ?? 0, error })),
    }
  } catch (error) {
    // The server refuses a batch as a whole only when no event of it can be taken.
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    return { count: 0, rejected: batch.lines.map((line) => ({ line, error: error.message })) }
  }
}
