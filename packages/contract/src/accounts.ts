import { Type } from 'typebox'
import { created, data, endpoint, list } from './endpoint.ts'
import { Account, ApiKey, AuditEntry, User } from './resources.ts'
import {
  closed,
  CountMeta,
  CursorMeta,
  cursorQuery,
  idOf,
  isoDate,
  nullable,
  oneOf,
  text,
} from './shapes.ts'

const Email = Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' })
const Password = Type.String({ minLength: 12, maxLength: 200 })

const SignedIn = closed({
  account: Account,
  user: nullable(User),
  csrfToken: nullable(
    Type.String({ description: 'Send as X-CSRF-Token with the session cookie.' }),
  ),
})
const SignInLink = closed({ url: Type.String(), expiresAt: isoDate })

export const auth = {
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in with e-mail and password; sets the session cookie',
    auth: 'public',
    limit: 'login',
    body: closed({
      email: Type.String({ minLength: 1, maxLength: 254 }),
      password: Type.String({ minLength: 1, maxLength: 200 }),
    }),
    returns: data(SignedIn),
    errors: [401, 403],
    audit: 'auth.login',
  }),
  redeemSignInLink: endpoint({
    method: 'POST',
    path: '/api/auth/link',
    summary: 'Sign in with the token of a one-time link; sets the session cookie',
    auth: 'public',
    limit: 'login',
    body: closed({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
    returns: data(SignedIn),
    errors: [401, 403],
    audit: 'auth.link',
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'End the session',
    auth: 'session',
    returns: data(closed({ signedOut: Type.Boolean() })),
    audit: 'auth.logout',
  }),
  me: endpoint({
    method: 'GET',
    path: '/api/auth/me',
    summary: 'Who is calling',
    auth: 'account',
    returns: data(SignedIn),
  }),
  setPassword: endpoint({
    method: 'POST',
    path: '/api/auth/password',
    summary: 'Set or change the password; every other session of the user ends',
    auth: 'session',
    body: closed({
      currentPassword: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      newPassword: Password,
    }),
    returns: data(closed({ changed: Type.Boolean() })),
    audit: 'auth.password',
  }),
} as const

export const keys = {
  listKeys: endpoint({
    method: 'GET',
    path: '/api/keys',
    summary: 'List the API keys of the account',
    auth: 'account',
    returns: list(ApiKey, CountMeta),
  }),
  createKey: endpoint({
    method: 'POST',
    path: '/api/keys',
    summary: 'Create an API key; it is shown this once',
    auth: 'account',
    body: closed({ name: text(100), expiresAt: Type.Optional(isoDate) }),
    returns: created(closed({ ...ApiKey.properties, key: Type.String() })),
    audit: 'key.create',
  }),
  deleteKey: endpoint({
    method: 'DELETE',
    path: '/api/keys/:id',
    summary: 'Revoke an API key at once',
    auth: 'account',
    params: closed({ id: idOf('key') }),
    returns: data(closed({ id: idOf('key') })),
    audit: 'key.delete',
  }),
} as const

export const users = {
  listUsers: endpoint({
    method: 'GET',
    path: '/api/users',
    summary: 'List the people of the account',
    auth: 'account',
    returns: list(User, CountMeta),
  }),
  createUser: endpoint({
    method: 'POST',
    path: '/api/users',
    summary: 'Add a person; answers a one-time sign-in link for them',
    auth: 'account',
    body: closed({ email: Email, name: Type.Optional(text(100)) }),
    returns: created(closed({ ...User.properties, signInLink: SignInLink })),
    errors: [409],
    audit: 'user.create',
  }),
  createSignInLink: endpoint({
    method: 'POST',
    path: '/api/users/:id/sign-in-link',
    summary: 'A new one-time sign-in link, for a forgotten password',
    auth: 'account',
    params: closed({ id: idOf('user') }),
    returns: created(SignInLink),
    audit: 'user.link',
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/api/users/:id',
    summary: 'Remove a person and end their sessions',
    auth: 'account',
    params: closed({ id: idOf('user') }),
    returns: data(closed({ id: idOf('user') })),
    errors: [409],
    audit: 'user.delete',
  }),
} as const

export const accounts = {
  listAccounts: endpoint({
    method: 'GET',
    path: '/api/accounts',
    summary: 'List every account (operator)',
    auth: 'operator',
    returns: list(Account, CountMeta),
  }),
  createAccount: endpoint({
    method: 'POST',
    path: '/api/accounts',
    summary: 'Create an account with its first person and API key (operator)',
    auth: 'operator',
    body: closed({ name: text(100), email: Email, password: Type.Optional(Password) }),
    returns: created(
      closed({
        ...Account.properties,
        apiKey: Type.String({ description: 'Shown this once.' }),
        user: User,
        signInLink: SignInLink,
      }),
    ),
    errors: [409],
    audit: 'account.create',
  }),
  updateAccount: endpoint({
    method: 'PATCH',
    path: '/api/accounts/:id',
    summary: 'Rename, suspend or reinstate an account (operator)',
    auth: 'operator',
    params: closed({ id: idOf('account') }),
    body: closed({
      name: Type.Optional(text(100)),
      status: Type.Optional(oneOf(['active', 'suspended'])),
    }),
    returns: data(Account),
    errors: [409],
    audit: 'account.update',
  }),
} as const

export const audit = {
  listAudit: endpoint({
    method: 'GET',
    path: '/api/audit',
    summary: 'What was changed in the account, by whom, newest first',
    auth: 'account',
    query: Type.Object({ ...cursorQuery, action: Type.Optional(text(100)) }),
    returns: list(AuditEntry, CursorMeta),
  }),
  verifyAudit: endpoint({
    method: 'GET',
    path: '/api/audit/verify',
    summary: 'Recompute the hash chain of the audit log and say where it breaks',
    auth: 'account',
    returns: data(
      closed({
        intact: Type.Boolean(),
        entries: Type.Integer(),
        brokenAtSequence: nullable(Type.Integer()),
        headHash: nullable(Type.String()),
      }),
    ),
  }),
} as const
