import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'
import { createStreamToken as make, STREAM_TOKEN_SECONDS } from './stream-token.ts'

export const createStreamToken = implement(
  endpoints.events.createStreamToken,
  ({ app, keyring, clock }) => {
    const expiresAt = clock.now() + STREAM_TOKEN_SECONDS * 1_000
    return { token: make(keyring, app.id, expiresAt), expiresAt: new Date(expiresAt).toISOString() }
  },
)
