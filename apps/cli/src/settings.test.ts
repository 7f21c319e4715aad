import { describe, expect, it } from 'vitest'
import { DEFAULT_URL, isSentInTheClear, resolveSettings, serverUrl } from './settings.ts'

const stored = { url: 'https://stored.test', apiKey: 'stored-key' }

describe('resolveSettings', () => {
  it('starts from the server on this machine', () => {
    expect(resolveSettings({}, {}, {})).toMatchObject({ url: DEFAULT_URL, apiKey: undefined })
  })

  it('takes what login kept', () => {
    expect(resolveSettings(stored, {}, {})).toMatchObject(stored)
  })

  it('puts the environment above what login kept', () => {
    const env = { MERLON_URL: 'https://env.test', MERLON_API_KEY: 'env-key' }
    expect(resolveSettings(stored, env, {})).toMatchObject({
      url: 'https://env.test',
      apiKey: 'env-key',
    })
  })

  it('puts flags above the environment', () => {
    const env = { MERLON_URL: 'https://env.test', MERLON_API_KEY: 'env-key' }
    const flags = { url: 'https://flag.test', key: 'flag-key' }
    expect(resolveSettings(stored, env, flags)).toMatchObject({
      url: 'https://flag.test',
      apiKey: 'flag-key',
    })
  })

  it('takes an empty variable for an absent one', () => {
    const env = { MERLON_URL: '', MERLON_API_KEY: '' }
    expect(resolveSettings(stored, env, {})).toMatchObject(stored)
  })

  it('keeps a stored key from a server that it was not stored for', () => {
    expect(resolveSettings(stored, {}, { url: 'https://other.test' })).toMatchObject({
      apiKey: undefined,
      keyIsForAnotherServer: 'https://stored.test',
    })
  })

  it('sees one server behind two spellings of its address', () => {
    expect(resolveSettings(stored, {}, { url: 'https://STORED.test:443/' }).apiKey).toBe(
      'stored-key',
    )
  })
})

describe('serverUrl', () => {
  it('keeps the path that a proxy serves Merlon under', () => {
    expect(serverUrl('https://host.test/merlon/')).toBe('https://host.test/merlon')
  })

  it.each(['', 'host.test', 'ftp://host.test', 'javascript:alert(1)', 'http://a:b@host.test'])(
    'refuses %j',
    (text) => {
      expect(() => serverUrl(text)).toThrow()
    },
  )
})

describe('isSentInTheClear', () => {
  it.each([
    ['http://host.test', true],
    ['http://127.0.0.1.evil.test', true],
    ['https://host.test', false],
    ['http://127.0.0.1:4000', false],
    ['http://localhost:4000', false],
    ['http://[::1]:4000', false],
  ])('of %s is %s', (url, expected) => {
    expect(isSentInTheClear(url)).toBe(expected)
  })
})
