import { envelope, failureReference, json, unlimitedHeaders } from './answers.ts'
import type { JsonSchema, MediaType, Operation, PathItem } from './document.ts'

const checks: JsonSchema = {
  type: 'object',
  description: 'What was looked at, each with its result.',
  additionalProperties: true,
}

function status(word: string): JsonSchema {
  return {
    type: 'object',
    required: ['status'],
    properties: { status: { const: word }, checks },
    additionalProperties: false,
  }
}

/** What the shell of the server answers itself, so that the document holds every path there is. */
export const systemPaths: Readonly<Record<string, PathItem>> = {
  '/healthz': {
    get: probe(
      'health',
      'Whether the process is alive; it asks nothing else',
      json(envelope(status('alive'))),
    ),
  },
  '/metrics': {
    get: {
      ...probe(
        'metrics',
        'Counters and timings for Prometheus',
        { 'text/plain': { schema: { type: 'string' } } },
        401,
      ),
      description: 'Where `MERLON_METRICS_TOKEN` is set, it must come as bearer token.',
    },
  },
  '/openapi.json': {
    get: probe('openapi', 'This document', json({ type: 'object' })),
  },
  '/readyz': {
    get: probe(
      'readiness',
      'Whether database, migrations and queue are ready for work',
      json(envelope(status('ready'))),
      503,
    ),
  },
}

function probe(
  name: string,
  summary: string,
  content: Readonly<Record<string, MediaType>>,
  failure?: number,
): Operation {
  return {
    operationId: `system.${name}`,
    tags: ['system'],
    summary,
    security: [],
    responses: {
      200: { description: 'Done.', headers: unlimitedHeaders, content },
      ...(failure === undefined ? {} : { [failure]: failureReference(failure) }),
    },
    'x-auth': 'public',
  }
}
