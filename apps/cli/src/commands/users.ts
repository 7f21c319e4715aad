import { defineCommand } from '../command.ts'
import { confirm } from '../confirm.ts'
import { exitCode } from '../exit-code.ts'
import { formatFacts, formatTable } from '../output/table.ts'
import { yes } from './shared-options.ts'

export const usersList = defineCommand({
  name: 'users list',
  summary: 'List the people of the account',
  arguments: [],
  options: {},
  run: async ({ client, out }) => {
    const users = await client().users.listUsers()
    out.result(users, () =>
      formatTable(
        ['id', 'e-mail', 'name', 'password', 'last sign-in'],
        users.map((user) => [
          user.id,
          user.email,
          user.name ?? '-',
          user.hasPassword ? 'set' : 'none',
          user.lastSignInAt ?? 'never',
        ]),
      ),
    )
    return exitCode.ok
  },
})

export const usersAdd = defineCommand({
  name: 'users add',
  summary: 'Add a person; the answer holds a one-time link with which they sign in',
  examples: ['users add ada@example.com --name "Ada Lovelace"'],
  arguments: ['email'],
  options: { name: { kind: 'text', value: 'name', summary: 'what they are called' } },
  run: async ({ client, out }, { arguments: { email }, options: { name } }) => {
    const body = { email, ...(name === undefined ? {} : { name }) }
    const user = await client().users.createUser({ body })
    out.say('The link works once and is not shown again; give it to them alone.')
    out.result(user, () =>
      formatFacts({
        Id: user.id,
        'E-mail': user.email,
        Link: user.signInLink.url,
        'Link ends': user.signInLink.expiresAt,
      }),
    )
    return exitCode.ok
  },
})

export const usersRemove = defineCommand({
  name: 'users remove',
  summary: 'Remove a person and end their sessions',
  arguments: ['id'],
  options: { yes },
  run: async (context, { arguments: { id }, options }) => {
    await confirm(context, `The person ${id} is removed and signed out at once.`, options.yes)
    const removed = await context.client().users.deleteUser({ params: { id } })
    context.out.result(removed, () => `Removed ${id}.`)
    return exitCode.ok
  },
})

export const usersLink = defineCommand({
  name: 'users link',
  summary: 'Make a new one-time sign-in link, for a forgotten password',
  arguments: ['id'],
  options: {},
  run: async ({ client, out }, { arguments: { id } }) => {
    const link = await client().users.createSignInLink({ params: { id } })
    out.result(link, () => formatFacts({ Link: link.url, 'Link ends': link.expiresAt }))
    return exitCode.ok
  },
})
