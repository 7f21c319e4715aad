import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { harness } from '../../apps/server/testing/harness.ts'
import { worstContrast } from './contrast.ts'

const { server, newAccount, newApp } = harness()
let base: string
let browser: Browser
let page: Page
let broken: string[]

beforeAll(async () => {
  base = await server().listen({ port: 0, host: '127.0.0.1' })
  browser = await chromium.launch({
    executablePath: process.env.MERLON_CHROMIUM ?? 'chromium',
    args: ['--no-sandbox', '--disable-gpu', '--headless=new'],
  })
})
afterAll(async () => browser?.close())
beforeEach(async () => {
  page = await browser.newPage()
  page.setDefaultTimeout(20_000)
  broken = []
  page.on('pageerror', (error) => broken.push(error.message))
  page.on('console', (message) => {
    // A refused call is logged by the browser itself; what breaks the content policy is ours.
    if (/Content Security Policy/.test(message.text())) broken.push(message.text())
  })
})
afterEach(async () => {
  await page.close()
  expect(broken).toEqual([])
})

/** Opens the one-time link of a new account and presses its button. */
async function signIn() {
  const account = await newAccount()
  await page.goto(`${base}/signin#${account.signInUrl.split('#')[1] ?? ''}`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  return account
}

describe('the sign-in link', () => {
  it('leads to the account', async () => {
    const { email } = await signIn()
    expect(await page.getByRole('banner').textContent()).toContain(email)
  })

  it('takes its token out of the address bar before anything else', async () => {
    const { signInUrl } = await newAccount()
    await page.goto(`${base}/signin#${signInUrl.split('#')[1] ?? ''}`)
    await page.waitForURL(`${base}/signin`)
    expect(page.url()).not.toContain('token')
  })

  it('is not burnt by a mere visit', async () => {
    const { signInUrl } = await newAccount()
    const link = `${base}/signin#${signInUrl.split('#')[1] ?? ''}`
    await page.goto(link)
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
  })

  it('works once', async () => {
    const { signInUrl } = await signIn()
    await page.goto(`${base}/signin#${signInUrl.split('#')[1] ?? ''}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('used already').waitFor()
  })
})

describe('the account page', () => {
  it('signs in with e-mail and a password that was set on it', async () => {
    const { email } = await signIn()
    await page.getByLabel('New password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByText('The password is saved.').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Change your password' }).waitFor()
  })

  it('says what is wrong with a password', async () => {
    await page.goto(base)
    await page.getByLabel('E-mail').fill('nobody@example.test')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('status').textContent()).toMatch(/password/i)
  })

  it('creates an app and shows its name as text, not as markup', async () => {
    await signIn()
    const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Apps' }) })
    await panel.getByLabel('Name').fill('<img src=x onerror=alert(1)>')
    await panel.getByRole('button', { name: 'Create app' }).click()
    await panel.getByRole('cell', { name: '<img src=x' }).first().waitFor()
    expect(await panel.locator('img').count()).toBe(0)
  })

  it('shows the key of an app only when asked', async () => {
    const { key } = await signIn()
    const { apiKey } = await newApp(key)
    await page.reload()
    await page.getByRole('button', { name: 'Show the key of Shop' }).waitFor()
    const before = await page.getByText(apiKey).count()
    await page.getByRole('button', { name: 'Show the key of Shop' }).click()
    expect({ before, after: await page.getByText(apiKey).count() }).toEqual({ before: 0, after: 1 })
  })

  it('shows a new API key once and revokes it after a second press', async () => {
    await signIn()
    const panel = page.locator('section', { has: page.getByRole('heading', { name: 'API keys' }) })
    await panel.getByLabel('Name').fill('ci')
    await panel.getByRole('button', { name: 'Create key' }).click()
    await panel.getByText('it is not shown again').waitFor()
    await panel.getByRole('button', { name: 'Revoke ci' }).click()
    await panel.getByRole('button', { name: 'Really revoke ci?' }).click()
    await panel.getByText('Revoked ci.').waitFor()
    expect(await panel.getByRole('cell', { name: 'ci', exact: true }).count()).toBe(0)
  })
})

describe('the API reference', () => {
  it('is found by keyboard alone', async () => {
    await page.goto(`${base}/docs`)
    await page.getByRole('link', { name: '/api/audit/verify' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('hash chain')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Recompute the hash chain' }).waitFor()
  })

  it('shows the fields of a body with their limits', async () => {
    await page.goto(`${base}/docs#apps.updateAppSettings`)
    const row = page.getByRole('row', { name: 'vault.keyRotationDays' }).first()
    expect(await row.textContent()).toContain('1 to 3650')
  })

  it('tries an endpoint with a key', async () => {
    const { key } = await newAccount()
    await newApp(key, 'Tried')
    await page.goto(`${base}/docs#apps.listApps`)
    await page.getByLabel('API key of the account').fill(key)
    await page.getByRole('button', { name: 'Send GET' }).click()
    await page.getByText('"name": "Tried"').waitFor()
  })

  it('keeps the key nowhere', async () => {
    const { key } = await newAccount()
    await page.goto(`${base}/docs#apps.listApps`)
    await page.getByLabel('API key of the account').fill(key)
    await page.reload()
    expect(await page.getByLabel('API key of the account').inputValue()).toBe('')
  })
})

describe.each(['light', 'dark'] as const)('in a %s scheme', (colorScheme) => {
  it.each(['/', '/signin', '/docs', '/docs#apps.updateApp'])(
    'every text on %s stands out with 4.5 to 1 or more',
    async (path) => {
      await page.emulateMedia({ colorScheme })
      await page.goto(base + path)
      await page.locator('h1').waitFor()
      expect((await page.evaluate(worstContrast)).ratio).toBeGreaterThanOrEqual(4.5)
    },
  )
})
