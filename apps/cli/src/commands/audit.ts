import { defineCommand } from '../command.ts'
import { exitCode } from '../exit-code.ts'
import { formatTable } from '../output/table.ts'

export const auditList = defineCommand({
  name: 'audit list',
  summary: 'What was changed in the account, by whom, newest first',
  arguments: [],
  options: {
    limit: { kind: 'number', value: 'count', summary: 'how many entries (1 to 100, default 50)' },
    cursor: { kind: 'text', value: 'cursor', summary: 'go on where an earlier page ended' },
    action: { kind: 'text', value: 'word', summary: 'only this action, such as app.delete' },
  },
  run: async ({ client, out }, { options: { limit, cursor, action } }) => {
    const { data, meta } = await client().raw.audit.listAudit({
      query: {
        ...(limit === undefined ? {} : { limit }),
        ...(cursor === undefined ? {} : { cursor }),
        ...(action === undefined ? {} : { action }),
      },
    })
    out.result({ entries: data, nextCursor: meta.nextCursor }, () =>
      formatTable(
        ['time', 'action', 'who', 'target', 'from'],
        data.map((entry) => [
          entry.at,
          entry.action,
          entry.actor.name ?? entry.actor.id ?? entry.actor.kind,
          entry.target ?? '-',
          entry.ip ?? '-',
        ]),
      ),
    )
    if (meta.nextCursor !== null && !out.json) {
      out.say(`There is more: merlon audit list --cursor ${meta.nextCursor}`)
    }
    return exitCode.ok
  },
})

export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'Recompute the hash chain of the audit log; exit code 1 when it is broken',
  arguments: [],
  options: {},
  run: async ({ client, out }) => {
    const chain = await client().audit.verifyAudit()
    out.result(chain, () =>
      chain.intact
        ? `Intact: ${chain.entries} entries, head ${chain.headHash ?? 'none'}.`
        : `Broken at entry ${chain.brokenAtSequence ?? '?'} of ${chain.entries}.`,
    )
    return chain.intact ? exitCode.ok : exitCode.failed
  },
})
