import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OpenApiDocument } from '@merlon/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { harness } from '../../apps/server/testing/harness.ts'
import { newActor } from './actors.ts'
import { operationsOf, schemaResolver, type FuzzOperation } from './operations.ts'
import { seededRandom, type Random } from './random.ts'
import { makeRequest, type FuzzRequest } from './requests.ts'
import { sendByInject, sendOverHttp } from './send.ts'
import { createVerdict } from './verdict.ts'

const REQUESTS = 20_000
const AT_ONCE = 8
/** So many requests one account has to endure before it is replaced. */
const PER_ACTOR = 400
const COMPLAINTS_MAX = 20
const SEED = Number(process.env['MERLON_FUZZ_SEED'] ?? 20_260_731)

/** A password, a one-time link or a signature cannot be hit by chance. */
const NEED_A_SECRET = new Set(['auth.login', 'auth.redeemSignInLink'])

interface Finding {
  readonly index: number
  readonly complaints: readonly string[]
  readonly request: string
  readonly answer: string
}

describe(`20,000 requests made from the OpenAPI document (MERLON_FUZZ_SEED=${SEED})`, () => {
  const house = harness()
  const findings: Finding[] = []
  const answered = new Map<string, number>()
  let operations: readonly FuzzOperation[] = []
  let sent = 0

  beforeAll(async () => {
    await house.server().listen({ port: 0, host: '127.0.0.1' })
    const { port } = house.server().server.address() as AddressInfo
    const document = (await house.server().inject('/openapi.json')).json<OpenApiDocument>()
    operations = operationsOf(document)
    const judge = createVerdict(document, operations)
    const resolve = schemaResolver(document)
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
    const send = async (request: FuzzRequest, inject: boolean) =>
      inject ? sendByInject(house.server(), request) : sendOverHttp(port, agent, request)

    for (let start = 0; start < REQUESTS; start += PER_ACTOR) {
      const actor = await newActor(house)
      const one = async (index: number): Promise<void> => {
        // Each request has a seed of its own, so that one can be repeated without the rest.
        const random = seededRandom(SEED + index * 7_919)
        const operation = pickOperation(operations, random)
        const request = makeRequest(operation, {
          random,
          resolve,
          actor,
          operatorKey: house.operatorKey,
        })
        const answer = await send(request, random.chance(0.1) && canInject(operation, request))
        sent += 1
        const key = `${operation.id} ${answer.status}`
        answered.set(key, (answered.get(key) ?? 0) + 1)
        const complaints = judge(request, answer)
        if (complaints.length > 0)
          findings.push({
            index,
            complaints,
            request: describeRequest(request),
            answer: answer.text.slice(0, 300),
          })
      }
      let next = start
      const worker = async (): Promise<void> => {
        while (next < start + PER_ACTOR) await one(next++)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, worker))
      if (findings.length >= COMPLAINTS_MAX) break
    }
    agent.destroy()
  }, 600_000)

  it('are answered within the contract, every one', () => {
    expect(findings).toEqual([])
    expect(sent).toBe(REQUESTS)
  })

  it('succeed at every operation that needs no secret beside the credential', () => {
    const neverSucceeded = operations
      .filter(({ id }) => !NEED_A_SECRET.has(id))
      .filter(({ id, statuses }) => !statuses.some((s) => s < 300 && answered.has(`${id} ${s}`)))
      .map(({ id }) => id)
    expect(neverSucceeded).toEqual([])
  })

  it('leave a server that is ready for more', async () => {
    expect((await house.call('GET', '/readyz')).status).toBe(200)
  })
})

/** A password is slow to check on purpose, so calls that take one come up less often. */
function pickOperation(operations: readonly FuzzOperation[], random: Random): FuzzOperation {
  const operation = random.pick(operations)
  return takesPassword(operation) && random.chance(0.9) ? random.pick(operations) : operation
}

function takesPassword({ bodySchema }: FuzzOperation): boolean {
  return Object.keys(bodySchema?.['properties'] ?? {}).some((name) => /password/i.test(name))
}

/** Injecting waits for the end of an answer, which a stream has not, and resolves dots in the path. */
function canInject(operation: FuzzOperation, { path }: FuzzRequest): boolean {
  return operation.auth !== 'stream' && !/\.\.|%2e/i.test(path)
}

function describeRequest({ method, path, headers, body }: FuzzRequest): string {
  const shown = Object.entries(headers).map(([name, value]) => `${name}: ${value.slice(0, 80)}`)
  const bytes = body === undefined ? '' : ` ${body.subarray(0, 300).toString('latin1')}`
  return `${method} ${path.slice(0, 300)} {${shown.join(', ')}}${bytes}`
}
