import type { Blueprint, Read } from './blueprint.ts'
import { withEntry, withImport, withListed } from './edit-source.ts'
import { parsePlacedName, type Name } from './names.ts'

interface Shape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Where the one field of the start comes in. */
  readonly input: 'query' | 'body'
  readonly returns: 'data' | 'created'
  readonly status: number
}

const READ: Shape = { method: 'GET', input: 'query', returns: 'data', status: 200 }
const SHAPES: Readonly<Record<string, Shape>> = {
  get: READ,
  list: READ,
  create: { method: 'POST', input: 'body', returns: 'created', status: 201 },
  set: { method: 'PUT', input: 'body', returns: 'data', status: 200 },
  update: { method: 'PATCH', input: 'body', returns: 'data', status: 200 },
  delete: { method: 'DELETE', input: 'query', returns: 'data', status: 200 },
}
const ACTION: Shape = { method: 'POST', input: 'body', returns: 'data', status: 200 }

/** `npm run new endpoint shield/create-thing` */
export function planEndpoint(text: string, read: Read): Blueprint {
  const { area, name } = parsePlacedName(text)
  const [verb = '', ...noun] = name.kebab.split('-')
  const shape = SHAPES[verb] ?? ACTION
  const thing = noun.length > 0 && verb in SHAPES ? noun.join('-') : name.kebab
  const path = `/api/${area.kebab}/${thing}`
  const folder = `apps/server/src/modules/${area.kebab}`
  const moduleFile = `${folder}/index.ts`
  const contractFile = `packages/contract/src/${area.kebab}.ts`
  const contract = read(contractFile) ?? `\nexport const ${area.camel} = {\n}\n`
  if (new RegExp(String.raw`\b${name.camel}\s*:`).test(contract)) {
    throw new Error(`${contractFile} has an endpoint ${name.camel} already`)
  }
  const imported = withImport(
    withImport(contract, ['closed', 'text'], './shapes.ts'),
    [shape.returns, 'endpoint'],
    './endpoint.ts',
  )
  const declared = withEntry(
    imported,
    area.camel,
    declaration(name, shape, path, `${thing}.${verb}`),
  )
  return {
    create: {
      [`${folder}/${name.kebab}.ts`]: handlerText(area, name, shape),
      [`${folder}/${name.kebab}.test.ts`]: testText(shape, path),
    },
    share: {},
    change: {
      [contractFile]: declared,
      [moduleFile]: withListed(
        read(moduleFile) ?? emptyModule(area),
        name.camel,
        `./${name.kebab}.ts`,
        'endpoints:',
      ),
    },
    next: [
      `List ${area.camel} in \`endpoints\` of packages/contract/src/index.ts, unless it is there.`,
      `List the module ${area.kebab} in apps/server/src/modules.ts, unless it is there.`,
      'Run `npm run openapi`, then fill in both sides.',
    ],
  }
}

function declaration(name: Name, shape: Shape, path: string, audit: string): string {
  const sentence = name.words.charAt(0).toUpperCase() + name.words.slice(1)
  return `  ${name.camel}: endpoint({
    method: '${shape.method}',
    path: '${path}',
    summary: '${sentence}',
    auth: 'account',
    ${shape.input}: closed({ name: text(100) }),
    returns: ${shape.returns}(closed({ name: text(100) })),
${shape.method === 'GET' ? '' : `    audit: '${audit}',\n`}  }),
`
}

function handlerText(area: Name, name: Name, { input }: Shape): string {
  return `import { endpoints } from '@merlon/contract'
import { implement } from '../../http/implement.ts'

export const ${name.camel} = implement(
  endpoints.${area.camel}.${name.camel},
  async ({ ${input} }) => ({ name: ${input}.name }),
)
`
}

function testText(shape: Shape, path: string): string {
  const { method, input, status } = shape
  const ask = (name: string) =>
    input === 'body'
      ? `call('${method}', '${path}', { as: key, body: { name: ${name} } })`
      : `call('${method}', \`${path}?name=\${encodeURIComponent(${name})}\`, { as: key })`
  return `import { describe, expect, it } from 'vitest'
import { harness } from '../../../testing/harness.ts'

describe('${method} ${path}', () => {
  const { call, newAccount } = harness()

  describe('${status}', () => {
    it('answers with the name', async () => {
      const { key } = await newAccount()
      const reply = await ${ask(`'gate'`)}
      expect(reply.status).toBe(${status})
      expect(reply.data).toEqual({ name: 'gate' })
    })
  })

  describe('400', () => {
    it.each(['', ' ', 'x'.repeat(101)])('refuses the name %j', async (name) => {
      const { key } = await newAccount()
      const reply = await ${ask('name')}
      expect(reply.status).toBe(400)
      expect(reply.error).toContain('name')
    })
  })
})
`
}

function emptyModule(area: Name): string {
  return `import type { Module } from '../../module.ts'

export const ${area.camel}: Module = {
  name: '${area.kebab}',
  endpoints: [],
}
`
}
