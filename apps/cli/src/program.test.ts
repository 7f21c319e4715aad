import { readFileSync } from 'node:fs'
import { createKey } from '@merlon/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMachine } from '../testing/cli-host.ts'
import { commands, groups } from './commands/index.ts'

describe('the command line', () => {
  let machine: Awaited<ReturnType<typeof createMachine>>
  beforeAll(async () => {
    machine = await createMachine()
  })
  afterAll(async () => machine.remove())

  it('ends with 0 and the text on stdout when help is asked for', async () => {
    const { code, out } = await machine.merlon(['--help'])
    expect({ code, mentionsApps: out.includes('apps') }).toEqual({ code: 0, mentionsApps: true })
  })

  it('prints its version', async () => {
    const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
    const { version } = JSON.parse(manifest) as { version: string }
    expect((await machine.merlon(['--version'])).out).toBe(`${version}\n`)
  })

  it.each([
    ['nothing at all', []],
    ['an unknown command', ['fly']],
    ['a group without a command', ['apps']],
    ['an unknown command of a group', ['apps', 'fly']],
    ['an unknown option', ['apps', 'list', '--fast']],
    ['a missing argument', ['apps', 'get']],
    ['one argument too many', ['apps', 'get', 'a', 'b']],
    ['a word for a number', ['audit', 'list', '--limit', 'many']],
    ['an address that is none', ['apps', 'list', '--url', 'nowhere']],
    ['no key', ['apps', 'list']],
    ['a plan that is none', ['apps', 'plan', 'app_1', 'gold', '--key', 'k']],
    ['nothing to update', ['apps', 'update', 'app_1', '--key', 'k']],
    ['a setting without a value', ['apps', 'settings', 'app_1', '--set', 'mode', '--key', 'k']],
    ['an option that is needed', ['events', 'tail', '--key', 'k']],
    ['a severity that is none', ['events', 'search', '--app', 'a', '--severity', 'BAD']],
    ['a count of nothing', ['events', 'tail', '--app', 'a', '--max', '0']],
    ['half a count', ['events', 'tail', '--app', 'a', '--max', '1.5']],
    ['--max without --all', ['events', 'search', '--app', 'a', '--max', '5', '--key', 'k']],
    ['a time ago that is none', ['events', 'search', '--app', 'a', '--from', '7w', '--key', 'k']],
    ['no key of an app', ['events', 'ingest', 'x.json']],
    ['an account key for an app', ['events', 'ingest', '--app-key', createKey('account')]],
    ['erasing unasked', ['events', 'erase', '--app', 'a', '--user', 'u', '--key', 'k']],
    ['nothing to change', ['webhooks', 'update', 'wh_1', '--key', 'k']],
    ['on and off', ['webhooks', 'update', 'wh_1', '--enable', '--disable', '--key', 'k']],
    ['an empty secret', ['webhooks', 'create', 'u', '--app', 'a', '--secret-stdin', '--key', 'k']],
    ['a time that is none', ['keys', 'create', 'ci', '--expires', 'soon', '--key', 'k']],
  ])('ends with 2 and a word on stderr for %s', async (_, args) => {
    const { code, err } = await machine.merlon(args)
    expect({ code, hasWord: err !== '' }).toEqual({ code: 2, hasWord: true })
  })

  it('takes --json before the command too', async () => {
    const { out } = await machine.merlon(['--json', 'keys', 'generate'])
    expect(JSON.parse(out)).toHaveProperty('key')
  })

  it.each(commands.map(({ name, summary }) => ({ name, summary })))(
    'explains $name under --help',
    async ({ name, summary }) => {
      const { code, out } = await machine.merlon([...name.split(' '), '--help'])
      expect({ code, flat: out.replaceAll(/\s+/g, ' ') }).toEqual({
        code: 0,
        flat: expect.stringContaining(summary) as string,
      })
    },
  )

  it.each(commands.filter(({ examples }) => examples !== undefined))(
    'gives an example of $name under --help',
    async ({ name, examples = [] }) => {
      const { out } = await machine.merlon([...name.split(' '), '--help'])
      expect(examples.filter((example) => !out.includes(`  merlon ${example}\n`))).toEqual([])
    },
  )

  it('has a sentence for every group', () => {
    const used = commands.map(({ name }) => name.split(' ')).filter((words) => words.length > 1)
    expect(new Set(Object.keys(groups))).toEqual(new Set(used.map(([group]) => group)))
  })
})
