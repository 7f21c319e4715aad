import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { isUnreachable } from './unreachable.ts'

describe('isUnreachable', () => {
  it('is true where nobody listens', async () => {
    const client = new pg.Client({ host: '127.0.0.1', port: 1, user: 'x' })
    const error = await client.connect().catch((failure: unknown) => failure)
    expect(isUnreachable(error)).toBe(true)
  })

  it('is true for a connection that the server ended', async () => {
    const client = new pg.Client(inject('postgres'))
    client.on('error', () => undefined)
    await client.connect()
    const query = client.query('select pg_terminate_backend(pg_backend_pid())')
    expect(isUnreachable(await query.catch((failure: unknown) => failure))).toBe(true)
  })

  it('is false for an error about the statement itself, and for our own', async () => {
    const client = new pg.Client(inject('postgres'))
    await client.connect()
    const error = await client.query('select 1/0').catch((failure: unknown) => failure)
    await client.end()
    expect(error).toBeInstanceOf(Error)
    expect(isUnreachable(error)).toBe(false)
    expect(isUnreachable(new Error('ENOENT: no such file'))).toBe(false)
    expect(isUnreachable('text')).toBe(false)
  })
})
