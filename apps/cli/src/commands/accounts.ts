import type { Account } from '@merlon/client'
import { defineCommand } from '../command.ts'
import { confirm } from '../confirm.ts'
import { exitCode } from '../exit-code.ts'
import { formatFacts, formatTable } from '../output/table.ts'
import { yes } from './shared-options.ts'

export const accountsList = defineCommand({
  name: 'accounts list',
  summary: 'List every account (operator)',
  arguments: [],
  options: {},
  run: async ({ client, out }) => {
    const accounts = await client().accounts.listAccounts()
    out.result(accounts, () =>
      formatTable(
        ['id', 'name', 'role', 'status', 'created'],
        accounts.map(({ id, name, role, status, createdAt }) => [
          id,
          name,
          role,
          status,
          createdAt,
        ]),
      ),
    )
    return exitCode.ok
  },
})

export const accountsCreate = defineCommand({
  name: 'accounts create',
  summary: 'Create an account with its first person and API key (operator)',
  details: 'The first person sets a password after signing in with the link in the answer.',
  examples: ['accounts create "Example Ltd" ada@example.com'],
  arguments: ['name', 'email'],
  options: {},
  run: async ({ client, out }, { arguments: { name, email } }) => {
    const account = await client().accounts.createAccount({ body: { name, email } })
    out.say('Key and link are not shown again; keep them now.')
    out.result(account, () =>
      formatFacts({
        Id: account.id,
        Name: account.name,
        Person: account.user.email,
        Key: account.apiKey,
        Link: account.signInLink.url,
        'Link ends': account.signInLink.expiresAt,
      }),
    )
    return exitCode.ok
  },
})

export const accountsSuspend = defineCommand({
  name: 'accounts suspend',
  summary: 'Refuse every call of an account from now on (operator)',
  arguments: ['id'],
  options: { yes },
  run: async (context, { arguments: { id }, options }) => {
    await confirm(context, `Everybody of the account ${id} is locked out at once.`, options.yes)
    const { accounts } = context.client()
    const account = await accounts.updateAccount({
      params: { id },
      body: { status: 'suspended' },
    })
    context.out.result(account, () => statusSentence(account))
    return exitCode.ok
  },
})

export const accountsReinstate = defineCommand({
  name: 'accounts reinstate',
  summary: 'Let a suspended account work again (operator)',
  arguments: ['id'],
  options: {},
  run: async ({ client, out }, { arguments: { id } }) => {
    const account = await client().accounts.updateAccount({
      params: { id },
      body: { status: 'active' },
    })
    out.result(account, () => statusSentence(account))
    return exitCode.ok
  },
})

function statusSentence({ id, name, status }: Account): string {
  return `${name} (${id}) is ${status}.`
}
