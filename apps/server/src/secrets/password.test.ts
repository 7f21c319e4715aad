import { describe, expect, it } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

describe('passwords', () => {
  it('are recognised, and wrong ones are not', async () => {
    const stored = await hashPassword('correct horse battery')
    expect(await verifyPassword('correct horse battery', stored)).toBe(true)
    expect(await verifyPassword('correct horse batterz', stored)).toBe(false)
  })

  it('have a salt of their own', async () => {
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'))
  })

  it('are never right for a user without one', async () => {
    expect(await verifyPassword('', null)).toBe(false)
  })

  it('do not depend on how a letter is composed', async () => {
    expect(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9'))).toBe(true)
  })
})
