import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createKey, keyKindOf } from '@merlon/base'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMachine, type Circumstances } from '../../apps/cli/testing/cli-host.ts'
import { harness } from '../../apps/server/testing/harness.ts'

const { server, newAccount, newApp, operatorKey, clock } = harness()
let url: string
let key: string
let machine: Awaited<ReturnType<typeof createMachine>>

beforeAll(async () => {
  url = await server().listen({ port: 0, host: '127.0.0.1' })
  key = (await newAccount()).key
})
beforeEach(async () => {
  machine = await createMachine()
})
afterEach(async () => machine.remove())

/** As a script would: everything from the environment, nobody at the terminal. */
async function merlon(args: readonly string[], given: Circumstances = {}) {
  const env = { MERLON_URL: url, MERLON_API_KEY: key, ...given.env }
  return machine.merlon(args, { ...given, env })
}

async function merlonJson<T>(args: readonly string[], given?: Circumstances): Promise<T> {
  const { code, out, err } = await merlon([...args, '--json'], given)
  if (code !== 0) throw new Error(`merlon ${args.join(' ')} ended with ${code}: ${err}`)
  return JSON.parse(out) as T
}

describe('merlon login', () => {
  const configFile = () => join(machine.homeDir, '.config', 'merlon', 'config.json')

  it('keeps address and key for the next command', async () => {
    await machine.merlon(['login', '--url', url, '--key', key])
    expect(await machine.merlon(['apps', 'list', '--json'])).toMatchObject({ code: 0 })
  })

  it('reads the key from stdin when nobody is at the terminal', async () => {
    await machine.merlon(['login', '--url', url], { stdin: `${key}\n` })
    expect(JSON.parse(await readFile(configFile(), 'utf8'))).toEqual({ url, apiKey: key })
  })

  it('asks a person for the key', async () => {
    const run = await machine.merlon(['login', '--url', url], { answers: [key] })
    expect(run).toMatchObject({ code: 0, asked: ['API key: '] })
  })

  it('keeps the key where its owner alone can read it', async () => {
    await machine.merlon(['login', '--url', url, '--key', key])
    expect((await stat(configFile())).mode & 0o777).toBe(0o600)
  })

  it('never prints the key', async () => {
    const { out, err } = await machine.merlon(['login', '--url', url, '--key', key])
    expect(out + err).not.toContain(key)
  })

  it('keeps nothing when the server does not know the key', async () => {
    const run = await machine.merlon(['login', '--url', url, '--key', createKey('account')])
    const kept = await stat(configFile()).catch(() => undefined)
    expect({ code: run.code, kept }).toEqual({ code: 1, kept: undefined })
  })

  it('tells a mistyped key from its checksum, without any server', async () => {
    const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
    const run = await machine.merlon(['login', '--url', 'http://127.0.0.1:1', '--key', mistyped])
    expect(run).toMatchObject({ code: 2, err: expect.stringContaining('checksum') as string })
  })

  it('refuses the key of an app', async () => {
    const run = await machine.merlon(['login', '--url', url, '--key', createKey('app')])
    expect(run).toMatchObject({ code: 2, err: expect.stringContaining('key of an app') as string })
  })

  it('ends with 2 when no key comes in', async () => {
    expect((await machine.merlon(['login', '--url', url])).code).toBe(2)
  })
})

describe('merlon apps', () => {
  it('creates an app and shows it', async () => {
    const { id } = await merlonJson<{ id: string }>(['apps', 'create', 'Shop', '--repo', 'me/shop'])
    expect(await merlonJson(['apps', 'get', id])).toMatchObject({ id, githubRepo: 'me/shop' })
  })

  it('lists apps as a table', async () => {
    const app = await newApp(key, 'Listed')
    const { out } = await merlon(['apps', 'list'])
    expect(out.split('\n').find((line) => line.startsWith(app.id))).toMatch(/Listed +free/)
  })

  it('renames an app', async () => {
    const { id } = await newApp(key)
    expect(await merlonJson(['apps', 'update', id, '--name', 'Store'])).toMatchObject({
      name: 'Store',
    })
  })

  it('disconnects the repository', async () => {
    const { id } = await newApp(key)
    await merlonJson(['apps', 'update', id, '--repo', 'me/shop'])
    expect(await merlonJson(['apps', 'update', id, '--clear-repo'])).toMatchObject({
      githubRepo: null,
    })
  })

  it('changes a setting and keeps the others', async () => {
    const { id } = await newApp(key)
    const change = ['--set', 'shield.mode=strict', '--set', 'vault.sensitiveFields=iban']
    expect(await merlonJson(['apps', 'settings', id, ...change])).toMatchObject({
      shield: { mode: 'strict', botDetection: true },
      vault: { sensitiveFields: ['iban'], keyRotationDays: 90 },
    })
  })

  it("passes the server's sentence on when a setting is wrong", async () => {
    const { id } = await newApp(key)
    const run = await merlon(['apps', 'settings', id, '--set', 'shield.mode=loud'])
    expect(run).toMatchObject({ code: 1, err: expect.stringContaining('shield.mode') as string })
  })

  it('rotates the key', async () => {
    const { id, apiKey } = await newApp(key)
    const rotated = await merlonJson<{ apiKey: string }>(['apps', 'rotate-key', id])
    expect({ kind: keyKindOf(rotated.apiKey), isNew: rotated.apiKey !== apiKey }).toEqual({
      kind: 'app',
      isNew: true,
    })
  })

  it('asks before it ends the old key at once', async () => {
    const { id } = await newApp(key)
    expect((await merlon(['apps', 'rotate-key', id, '--grace-hours', '0'])).code).toBe(2)
  })

  it('deletes nothing in a script without --yes', async () => {
    const { id } = await newApp(key)
    const run = await merlon(['apps', 'delete', id])
    expect({ code: run.code, still: (await merlon(['apps', 'get', id])).code }).toEqual({
      code: 2,
      still: 0,
    })
  })

  it('deletes with --yes', async () => {
    const { id } = await newApp(key)
    await merlon(['apps', 'delete', id, '--yes'])
    expect((await merlon(['apps', 'get', id])).code).toBe(1)
  })

  it('deletes when a person says yes', async () => {
    const { id } = await newApp(key)
    expect((await merlon(['apps', 'delete', id], { answers: ['yes'] })).code).toBe(0)
  })

  it('deletes nothing when a person says anything else', async () => {
    const { id } = await newApp(key)
    const run = await merlon(['apps', 'delete', id], { answers: ['y'] })
    expect(run).toMatchObject({ code: 1, err: 'merlon: Nothing was changed.\n' })
  })

  it('lets the operator set a plan', async () => {
    const { id } = await newApp(key)
    const run = await merlonJson(['apps', 'plan', id, 'team'], {
      env: { MERLON_API_KEY: operatorKey },
    })
    expect(run).toMatchObject({ plan: 'team' })
  })

  it('refuses a customer who sets a plan', async () => {
    const { id } = await newApp(key)
    expect((await merlon(['apps', 'plan', id, 'team'])).code).toBe(1)
  })

  it('names the request in a failure', async () => {
    const { err } = await merlon(['apps', 'get', 'app_01J00000000000000000000000'])
    expect(err).toMatch(/does not exist.* \(request \S+\)\n$/)
  })
})

describe('merlon keys', () => {
  it('creates a key that works', async () => {
    const created = await merlonJson<{ key: string }>(['keys', 'create', 'ci'])
    expect((await merlon(['keys', 'list'], { env: { MERLON_API_KEY: created.key } })).code).toBe(0)
  })

  it('creates a key that ends', async () => {
    const created = await merlonJson(['keys', 'create', 'ci', '--expires', '2100-01-31'])
    expect(created).toMatchObject({ expiresAt: '2100-01-31T00:00:00.000Z' })
  })

  it('revokes a key', async () => {
    const created = await merlonJson<{ id: string; key: string }>(['keys', 'create', 'gone'])
    await merlon(['keys', 'delete', created.id, '--yes'])
    expect((await merlon(['keys', 'list'], { env: { MERLON_API_KEY: created.key } })).code).toBe(1)
  })

  it('makes a key for a server that is yet to start', async () => {
    expect(keyKindOf((await machine.merlon(['keys', 'generate'])).out.trim())).toBe('account')
  })
})

describe('merlon audit', () => {
  it('tells who created an app', async () => {
    const { id } = await newApp(key)
    const { entries } = await merlonJson<{ entries: { target: string }[] }>([
      'audit',
      'list',
      '--action',
      'app.create',
    ])
    expect(entries.map(({ target }) => target)).toContain(id)
  })

  it('says how to get the next page', async () => {
    await newApp(key)
    await newApp(key)
    expect((await merlon(['audit', 'list', '--limit', '1'])).err).toContain('--cursor ')
  })

  it('ends with 0 while the chain is intact', async () => {
    expect(await merlon(['audit', 'verify'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Intact') as string,
    })
  })
})

describe('merlon doctor', () => {
  async function statuses(given?: Circumstances) {
    const { out } = await merlon(['doctor', '--json'], { nowMs: () => clock.now(), ...given })
    const { checks } = JSON.parse(out) as { checks: { name: string; status: string }[] }
    return Object.fromEntries(checks.map(({ name, status }) => [name, status]))
  }

  it('finds a running server with a good key in order', async () => {
    expect(await statuses()).toMatchObject({
      server: 'ok',
      ready: 'ok',
      'API key': 'ok',
      clock: 'ok',
    })
  })

  it('finds a key that the server does not know', async () => {
    expect(await statuses({ env: { MERLON_API_KEY: createKey('account') } })).toMatchObject({
      'API key': 'fail',
    })
  })

  it('finds a clock that is minutes off', async () => {
    expect(await statuses({ nowMs: () => Date.now() + 300_000 })).toMatchObject({ clock: 'warn' })
  })

  it('finds a server that does not answer, and ends with 1', async () => {
    const run = await merlon(['doctor'], { env: { MERLON_URL: 'http://127.0.0.1:1' } })
    expect(run).toMatchObject({ code: 1, out: expect.stringMatching(/FAIL {2}server/) as string })
  })
})
