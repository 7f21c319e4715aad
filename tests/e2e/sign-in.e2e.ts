import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildPrograms,
  printedKey,
  printedLink,
  serverProcesses,
  type ServerProcess,
} from './server-process.ts'

const servers = serverProcesses()
let server: ServerProcess
let browser: Browser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  buildPrograms()
  server = await servers.start(servers.newDataDir())
  browser = await chromium.launch({
    executablePath: process.env['MERLON_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--headless=new'],
  })
  page = await browser.newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
})
afterAll(async () => {
  await browser?.close()
  await servers.endAll()
  servers.removeAll()
})

const panel = (heading: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: heading }) })

/** One visit from the first start on, told step by step. */
describe('the person who started the server', () => {
  it('signs in with the printed link', async () => {
    await page.goto(printedLink(server.output()))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(page.url()).not.toContain('token')
  })

  it('creates an app, which the printed key can see', async () => {
    await panel('Apps').getByLabel('Name').fill('Web shop')
    await panel('Apps').getByRole('button', { name: 'Create app' }).click()
    await panel('Apps').getByRole('cell', { name: 'Web shop' }).first().waitFor()
    const key = printedKey(server.output())
    const reply = await fetch(`${server.url}/api/apps`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(await reply.json()).toMatchObject({ data: [{ name: 'Web shop' }] })
  })

  it('creates an API key that works until it is revoked', async () => {
    const keys = panel('API keys')
    await keys.getByLabel('Name').fill('deploy')
    await keys.getByRole('button', { name: 'Create key' }).click()
    await keys.getByText('it is not shown again').waitFor()
    const key = /mln_live_\w{36}/.exec((await keys.textContent()) ?? '')?.[0] ?? ''
    const status = async () =>
      (await fetch(`${server.url}/api/auth/me`, { headers: { authorization: `Bearer ${key}` } }))
        .status
    expect(await status()).toBe(200)
    await keys.getByRole('button', { name: 'Revoke deploy' }).click()
    await keys.getByRole('button', { name: 'Really revoke deploy?' }).click()
    await keys.getByText('Revoked deploy.').waitFor()
    expect(await status()).toBe(401)
  })

  it('finds an endpoint in the API reference', async () => {
    await page.goto(`${server.url}/docs`)
    await page.getByRole('link', { name: '/api/audit/verify' }).click()
    await page.getByRole('heading', { level: 1, name: 'Recompute the hash chain' }).waitFor()
  })

  it('has seen no error on any of these pages', () => {
    expect(complaints).toEqual([])
  })

  it('signs out, and is asked to sign in again', async () => {
    await page.goto(server.url)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail').waitFor()
    await page.reload()
    await page.getByLabel('E-mail').waitFor()
    expect(await page.context().cookies()).toEqual([])
  })
})
