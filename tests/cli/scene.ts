import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createMachine, type Circumstances } from '../../apps/cli/testing/cli-host.ts'
import { harness } from '../../apps/server/testing/harness.ts'

/** A listening server, an account and an app of its own for each test, and a machine with the CLI. */
export function cliScene(env: Readonly<Record<string, string>> = {}) {
  const house = harness(env)
  let url: string
  let key: string
  let app: { id: string; apiKey: string }
  let machine: Awaited<ReturnType<typeof createMachine>>

  beforeAll(async () => {
    url = await house.server().listen({ port: 0, host: '127.0.0.1' })
    key = (await house.newAccount()).key
  })
  // fetch keeps spare connections, and a server waits long for one that never said a word.
  afterAll(() => house.server().server.closeAllConnections())
  beforeEach(async () => {
    app = await house.newApp(key)
    machine = await createMachine()
  })
  afterEach(async () => machine.remove())

  /** As a script would: everything from the environment, nobody at the terminal. */
  async function merlon(args: readonly string[], given: Circumstances = {}) {
    const settings = { MERLON_URL: url, MERLON_API_KEY: key, MERLON_APP_KEY: app.apiKey }
    const nowMs = () => house.clock.now()
    return machine.merlon(args, { nowMs, ...given, env: { ...settings, ...given.env } })
  }

  async function merlonJson<T>(args: readonly string[], given?: Circumstances): Promise<T> {
    const { code, out, err } = await merlon([...args, '--json'], given)
    if (code !== 0) throw new Error(`merlon ${args.join(' ')} ended with ${code}: ${err}`)
    return JSON.parse(out) as T
  }

  return {
    ...house,
    merlon,
    merlonJson,
    url: () => url,
    key: () => key,
    app: () => app,
    /** Until every webhook that is due was called. */
    webhooksSettled: async () => house.app().webhooks.settle(),
    homeDir: () => machine.homeDir,
  }
}

/** A valid event as one line; say only what matters for the test. */
export function eventText(fields: Record<string, unknown> = {}): string {
  const usual = { type: 'request.blocked', module: 'shield', severity: 'HIGH', title: 'Stopped' }
  return JSON.stringify({ ...usual, ...fields })
}
