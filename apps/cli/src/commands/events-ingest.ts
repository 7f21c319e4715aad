import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { keyKindOf } from '@merlon/base'
import { createClient, type Client } from '@merlon/client'
import { defineCommand, type Context } from '../command.ts'
import { exitCode, Failure, UsageError } from '../exit-code.ts'
import { batchesOf } from '../ingest/batches.ts'
import { readEvents } from '../ingest/read-events.ts'
import { createRejections } from '../ingest/rejections.ts'
import { sendBatch } from '../ingest/send-batch.ts'
import { textLines } from '../ingest/text-lines.ts'
import { counted } from '../output/counted.ts'

/** A server under pressure asks for patience, and a script would rather wait than start anew. */
const RETRIES_MAX = 6

export const eventsIngest = defineCommand({
  name: 'events ingest',
  summary: 'Send events from a file or stdin; exit code 1 when any was rejected',
  details:
    'The input is a JSON list, one event, or JSON lines. An event has type, module, severity and\n' +
    'title, and may have description, ip, userId, payload, timestamp and id. What cannot be taken\n' +
    'is named by its line on stderr, and the rest is stored.',
  examples: ['events ingest events.jsonl --app-key mlnapp_live_…', `events ingest - < events.json`],
  arguments: ['file?'],
  options: {
    'app-key': {
      kind: 'text',
      value: 'key',
      summary: 'the key of the app (default: MERLON_APP_KEY)',
    },
  },
  run: async (context, { arguments: { file }, options }) => {
    const { out } = context
    const client = clientOf(context, options['app-key'])
    const rejections = createRejections()
    const lines = textLines(openInput(context, file))
    const batches = batchesOf(readEvents(lines), rejections.add, () => crypto.randomUUID())
    let count = 0
    try {
      for await (const batch of batches) {
        const result = await sendBatch(client, batch, crypto.randomUUID())
        count += result.count
        for (const rejection of result.rejected) rejections.add(rejection)
      }
    } catch (error) {
      if (count > 0) out.say(`${counted(count, 'event')} had been stored before this failed.`)
      throw error
    } finally {
      if (!out.json) for (const sentence of rejections.sentences()) out.say(sentence)
    }
    const rejected = rejections.listed()
    out.result({ count, rejectedCount: rejections.count, rejected }, () =>
      rejections.count === 0
        ? `Stored ${counted(count, 'event')}.`
        : `Stored ${counted(count, 'event')}; rejected ${rejections.count}.`,
    )
    return rejections.count === 0 ? exitCode.ok : exitCode.failed
  },
})

function clientOf({ host, settings }: Context, given: string | undefined): Client {
  const appKey = given ?? host.env.MERLON_APP_KEY
  if (!appKey) {
    throw new UsageError('There is no app key. Set MERLON_APP_KEY, or give --app-key.')
  }
  if (keyKindOf(appKey) !== 'app') {
    throw new UsageError(
      'This is no key of an app: one begins with mlnapp_live_ (`merlon apps get`).',
    )
  }
  const { fetch, wait } = host
  return createClient({ baseUrl: settings.url, appKey, fetch, wait, retriesMax: RETRIES_MAX })
}

function openInput({ host }: Context, file: string | undefined): AsyncIterable<Uint8Array> {
  if (file === '-' || (file === undefined && !host.stdinIsTty)) return host.openStdin()
  if (file === undefined) throw new UsageError('Give a file, or - for what you type.')
  return openFile(resolve(host.workDir, file))
}

async function* openFile(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of createReadStream(path)) yield piece as Uint8Array
  } catch (error) {
    throw new Failure(
      `${path} cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}.`,
    )
  }
}
