import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecurityEvent } from '@merlon/client'
import { describe, expect, it } from 'vitest'
import { cliScene, eventText } from './scene.ts'

const scene = cliScene()
const { merlon, merlonJson, app } = scene

interface Found {
  readonly events: readonly SecurityEvent[]
  readonly nextCursor: string | null
}

const ingest = async (...events: readonly Record<string, unknown>[]) =>
  merlon(['events', 'ingest'], { stdin: events.map(eventText).join('\n') })
const search = async (...args: readonly string[]) =>
  merlonJson<Found>(['events', 'search', '--app', app().id, ...args])
const titles = ({ events }: Found) => events.map(({ title }) => title).toSorted()

describe('merlon events ingest', () => {
  it.each([
    ['JSON lines', () => `${eventText({ title: 'a' })}\n${eventText({ title: 'b' })}\n`],
    ['a list', () => `[${eventText({ title: 'a' })},\n${eventText({ title: 'b' })}]`],
  ])('stores %s from stdin', async (_, stdin) => {
    const run = await merlon(['events', 'ingest', '-'], { stdin: stdin() })
    expect({ ...run, titles: titles(await search()) }).toMatchObject({
      code: 0,
      out: 'Stored 2 events.\n',
      titles: ['a', 'b'],
    })
  })

  it('stores one event from a file', async () => {
    const text = JSON.stringify(JSON.parse(eventText({ title: 'filed' })), null, 2)
    await writeFile(join(scene.homeDir(), 'one.json'), text)
    await merlon(['events', 'ingest', 'one.json'])
    expect(titles(await search())).toEqual(['filed'])
  })

  it('sends more than a request can hold', async () => {
    const stdin = Array.from({ length: 1001 }, () => eventText()).join('\n')
    expect(await merlonJson(['events', 'ingest'], { stdin })).toMatchObject({ count: 1001 })
  })

  it('stores the good ones, names the lines of the others and ends with 1', async () => {
    const stdin = [eventText(), '', eventText({ severity: 'BAD' }), '{broken', eventText()]
    const run = await merlon(['events', 'ingest'], { stdin: stdin.join('\n') })
    expect(run).toMatchObject({ code: 1, out: 'Stored 2 events; rejected 2.\n' })
    expect(run.err).toMatch(/^line 3: .*severity.*\nline 4: .*valid JSON.*\n$/)
  })

  it('names the lines of a batch in which nothing is good', async () => {
    const run = await merlon(['events', 'ingest', '--json'], { stdin: '{"a":1}\n{"a":2}' })
    expect({ code: run.code, answer: JSON.parse(run.out) as unknown }).toMatchObject({
      code: 1,
      answer: { count: 0, rejectedCount: 2, rejected: [{ line: 1 }, { line: 2 }] },
    })
  })

  it('counts a batch once when its answer was lost and it was sent again', async () => {
    let lost = 0
    const losing: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      if (lost++ === 0) throw new TypeError('the line went dead')
      return response
    }
    const run = await merlon(['events', 'ingest'], { stdin: eventText(), fetch: losing })
    expect({ out: run.out, stored: (await search()).events.length, tries: lost }).toEqual({
      out: 'Stored 1 event.\n',
      stored: 1,
      tries: 2,
    })
  })

  it('waits as long as a busy server says', async () => {
    const waits: number[] = []
    let calls = 0
    const busy: typeof fetch = async (...request) =>
      ++calls > 2
        ? fetch(...request)
        : new Response('{"ok":false,"error":"Busy."}', {
            status: calls === 1 ? 503 : 429,
            headers: { 'retry-after': '3' },
          })
    const wait = async (ms: number) => void waits.push(ms)
    const run = await merlon(['events', 'ingest'], { stdin: eventText(), fetch: busy, wait })
    expect({ code: run.code, waits }).toEqual({ code: 0, waits: [3000, 3000] })
  })

  it('compresses what is worth it', async () => {
    const encodings: (string | null)[] = []
    const looking: typeof fetch = async (input, init) => {
      encodings.push(new Headers(init?.headers).get('content-encoding'))
      return fetch(input, init)
    }
    const long = eventText({ description: 'x'.repeat(2000) })
    await merlon(['events', 'ingest'], { stdin: eventText(), fetch: looking })
    await merlon(['events', 'ingest'], { stdin: long, fetch: looking })
    expect(encodings).toEqual([null, 'gzip'])
  })

  it('says that a file is not there', async () => {
    const run = await merlon(['events', 'ingest', 'missing.json'])
    expect(run).toMatchObject({ code: 1, err: expect.stringContaining('missing.json') as string })
  })
})

describe('merlon events search', () => {
  it.each([
    ['--type', 'auth.login'],
    ['--module', 'auth'],
    ['--severity', 'low'],
    ['--ip', '192.0.2.7'],
    ['--user', 'ada'],
    ['--q', 'needle'],
  ])('filters with %s %s', async (option, value) => {
    const wanted = { type: 'auth.login', module: 'auth', severity: 'LOW', ip: '192.0.2.7' }
    await ingest({ title: 'other' }, { ...wanted, userId: 'ada', title: 'needle' })
    expect(titles(await search(option, value))).toEqual(['needle'])
  })

  it('takes how long ago', async () => {
    const hoursAgo = (hours: number) => new Date(scene.clock.now() - hours * 3_600_000)
    await ingest({ title: 'old', timestamp: hoursAgo(3) }, { title: 'new', timestamp: hoursAgo(1) })
    expect([titles(await search('--from', '2h')), titles(await search('--to', '2h'))]).toEqual([
      ['new'],
      ['old'],
    ])
  })

  it('says how to get the next page, which goes on', async () => {
    await ingest({ title: 'a' }, { title: 'b' })
    const first = await search('--limit', '1')
    const second = await search('--limit', '1', '--cursor', first.nextCursor ?? '')
    expect([...titles(first), ...titles(second)].toSorted()).toEqual(['a', 'b'])
  })

  it('goes from page to page with --all', async () => {
    await ingest({ title: 'a' }, { title: 'b' }, { title: 'c' })
    expect(titles(await search('--all', '--limit', '1'))).toEqual(['a', 'b', 'c'])
  })

  it('stops at --max and says where', async () => {
    await ingest({ title: 'a' }, { title: 'b' }, { title: 'c' })
    const { events, nextCursor } = await search('--all', '--max', '2')
    expect([events.length, typeof nextCursor]).toEqual([2, 'string'])
  })

  it('prints a table', async () => {
    await ingest({ title: 'Stopped it', ip: '192.0.2.7' })
    const { out } = await merlon(['events', 'search', '--app', app().id])
    expect(out).toMatch(
      /^TIME +SEVERITY .*\n\S+ +HIGH +request\.blocked +192\.0\.2\.7 .*Stopped it\n$/,
    )
  })
})

describe('merlon events export and erase', () => {
  it('writes every event of the user as JSON lines', async () => {
    await ingest({ userId: 'ada', title: 'a' }, { userId: 'bob' }, { userId: 'ada', title: 'b' })
    const { out } = await merlon(['events', 'export', '--app', app().id, '--user', 'ada'])
    const lines = out.trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as SecurityEvent).title).toSorted()).toEqual([
      'a',
      'b',
    ])
  })

  it('erases the events of that user alone', async () => {
    await ingest({ userId: 'ada' }, { userId: 'bob', title: 'stays' })
    const erase = ['events', 'erase', '--app', app().id, '--user', 'ada', '--yes']
    const answer = await merlonJson(erase)
    expect({ answer, left: titles(await search()) }).toEqual({
      answer: { erased: 1 },
      left: ['stays'],
    })
  })
})

describe('merlon events analytics', () => {
  it('counts at once', async () => {
    await ingest({}, {})
    expect(
      await merlonJson(['events', 'analytics', '--app', app().id, '--window', '7d']),
    ).toMatchObject({ window: '7d', totalEvents: 2 })
  })

  it('prints tables', async () => {
    await ingest({ module: 'auth' })
    const { out } = await merlon(['events', 'analytics', '--app', app().id])
    expect(out).toMatch(/^1 event in 24h\n[^]*\nMODULE +EVENTS\nauth +1\n/)
  })
})

describe('merlon baseline', () => {
  it('tells that it learns', async () => {
    expect(await merlonJson(['baseline', 'get', app().id])).toMatchObject({ status: 'learning' })
  })

  it('is reset with --yes', async () => {
    const { code, out } = await merlon(['baseline', 'reset', app().id, '--yes'])
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/Status +learning/) as string,
    })
  })

  it('is not reset by a script that did not mean it', async () => {
    expect((await merlon(['baseline', 'reset', app().id])).code).toBe(2)
  })
})
