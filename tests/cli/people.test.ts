import type { Account, User } from '@merlon/client'
import { describe, expect, it } from 'vitest'
import { cliScene } from './scene.ts'

const scene = cliScene()
const { merlon, merlonJson, operatorKey } = scene
const asOperator = { env: { MERLON_API_KEY: operatorKey } }

let people = 0
const newEmail = () => `cli-${++people}@example.test`
const addUser = async (email = newEmail()) => merlonJson<User>(['users', 'add', email])

describe('merlon users', () => {
  it('adds a person and gives a link to sign in with', async () => {
    const answer = await merlonJson<{ signInLink: { url: string } }>([
      'users',
      'add',
      newEmail(),
      '--name',
      'Ada',
    ])
    expect(answer).toMatchObject({ name: 'Ada', signInLink: { url: expect.any(String) as string } })
  })

  it('lists people', async () => {
    const { id, email } = await addUser()
    const { out } = await merlon(['users', 'list'])
    expect(out.split('\n').find((line) => line.startsWith(id))).toContain(email)
  })

  it('makes a new link', async () => {
    const { id } = await addUser()
    expect((await merlon(['users', 'link', id])).out).toMatch(/^Link +http/)
  })

  it('removes a person with --yes', async () => {
    const { id } = await addUser()
    await merlon(['users', 'remove', id, '--yes'])
    const left = await merlonJson<User[]>(['users', 'list'])
    expect(left.map((user) => user.id)).not.toContain(id)
  })

  it('removes nobody in a script without --yes', async () => {
    const { id } = await addUser()
    expect((await merlon(['users', 'remove', id])).code).toBe(2)
  })
})

describe('merlon accounts', () => {
  const create = async () => {
    const args = ['accounts', 'create', 'Example Ltd', newEmail()]
    return merlonJson<Account & { apiKey: string }>(args, asOperator)
  }
  const worksWith = async (apiKey: string) =>
    (await merlon(['apps', 'list'], { env: { MERLON_API_KEY: apiKey } })).code === 0

  it('creates an account whose key works', async () => {
    expect(await worksWith((await create()).apiKey)).toBe(true)
  })

  it('lists accounts', async () => {
    const { id } = await create()
    const accounts = await merlonJson<Account[]>(['accounts', 'list'], asOperator)
    expect(accounts.map((account) => account.id)).toContain(id)
  })

  it('suspends an account', async () => {
    const { id, apiKey } = await create()
    const { out } = await merlon(['accounts', 'suspend', id, '--yes'], asOperator)
    expect({ out, works: await worksWith(apiKey) }).toEqual({
      out: `Example Ltd (${id}) is suspended.\n`,
      works: false,
    })
  })

  it('reinstates an account', async () => {
    const { id, apiKey } = await create()
    await merlon(['accounts', 'suspend', id, '--yes'], asOperator)
    await merlon(['accounts', 'reinstate', id], asOperator)
    expect(await worksWith(apiKey)).toBe(true)
  })

  it('suspends nobody in a script without --yes', async () => {
    const { id } = await create()
    expect((await merlon(['accounts', 'suspend', id], asOperator)).code).toBe(2)
  })

  it('refuses a customer', async () => {
    expect((await merlon(['accounts', 'list'])).code).toBe(1)
  })
})
