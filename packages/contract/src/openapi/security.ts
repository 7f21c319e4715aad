import type { AuthKind, Method } from '../endpoint.ts'
import type { SecurityRequirement, SecurityScheme } from './document.ts'

export const securitySchemes: Readonly<Record<string, SecurityScheme>> = {
  appKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The key of one app (`mlnapp_live_…`), as the SDK sends it.',
  },
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of the account (`mln_live_…`): `Authorization: Bearer <key>`.',
  },
  csrfToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description:
      'The `csrfToken` of `GET /api/auth/me`. State-changing calls with the session cookie need it.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'merlon_session',
    description: 'The session of a person who signed in with `POST /api/auth/login`.',
  },
  streamToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'A short-lived token from `POST /api/events/stream-token`, bound to one app.',
  },
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Hub-Signature-256',
    description: '`sha256=` and the HMAC-SHA-256 of the body under the webhook secret.',
  },
}

/** Each entry is one sufficient way in; the schemes within an entry are all needed together. */
export function securityOf(auth: AuthKind, method: Method): readonly SecurityRequirement[] {
  const session = method === 'GET' ? { sessionCookie: [] } : { sessionCookie: [], csrfToken: [] }
  switch (auth) {
    case 'account':
    case 'operator':
      return [{ bearerAuth: [] }, session]
    case 'session':
      return [session]
    case 'app':
      return [{ appKey: [] }]
    case 'stream':
      return [{ streamToken: [] }]
    case 'webhook':
      return [{ webhookSignature: [] }]
    case 'public':
      return []
  }
}
