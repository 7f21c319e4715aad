import type { Endpoint } from '@merlon/contract'

/** The answer's JSON Schema, from which Fastify makes a fast serialiser that also drops undeclared fields. */
export function envelopeSchema(endpoint: Endpoint): object {
  const { data, meta } = endpoint.returns
  return {
    type: 'object',
    properties: {
      ok: { type: 'boolean' },
      data,
      ...(meta === undefined ? {} : { meta }),
    },
    required: ['ok', 'data'],
  }
}

export function failure(sentence: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error: sentence }
}
