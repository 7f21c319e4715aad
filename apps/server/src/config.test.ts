import { createKey } from '@merlon/base'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const secret = 'x'.repeat(32)

describe('readConfig', () => {
  it('gives the documented defaults for an empty environment', () => {
    expect(readConfig({})).toMatchObject({
      port: 4000,
      host: '127.0.0.1',
      dataDir: '.merlon',
      role: 'all',
      defaultPlan: 'free',
      trustProxy: false,
      privateTargets: true,
      limits: { accountPerMinute: 3000, ingestPerMinute: 6000, loginPerMinute: 10 },
    })
  })

  it('requires a secret in production and refuses private targets there', () => {
    expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(/MERLON_SECRET is required/)
    const config = readConfig({ NODE_ENV: 'production', MERLON_SECRET: secret })
    expect(config.privateTargets).toBe(false)
  })

  it('names every setting that is wrong in one error', () => {
    const broken = {
      PORT: 'x',
      MERLON_ROLE: 'boss',
      MERLON_SECRET: 'short',
      DATABASE_URL: 'mysql://',
      MERLON_PUBLIC_URL: 'ftp://x',
      MERLON_BOOTSTRAP_API_KEY: 'mln_live_x',
      MERLON_DEFAULT_PLAN: 'gold',
    }
    let message = ''
    try {
      readConfig(broken)
    } catch (error) {
      message = String(error)
    }
    for (const name of Object.keys(broken)) expect(message).toContain(name)
  })

  it('takes a bootstrap key of the right form', () => {
    const key = createKey('account')
    expect(readConfig({ MERLON_BOOTSTRAP_API_KEY: key }).bootstrapApiKey).toBe(key)
  })
})
