/** Any escape of JSON text; the group holds those that a jsonb column refuses. */
const ESCAPES = /\\(?:(u0000|ud[89a-f][0-9a-f]{2})|.)/g

/**
 * JSON text for a jsonb column. PostgreSQL refuses NUL and lone surrogates, which scanned input may
 * well contain; both become the replacement character rather than the failure of a whole job.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value ?? null) ?? 'null'
  return text.replace(ESCAPES, (escape: string, refused?: string) =>
    refused === undefined ? escape : String.raw`\ufffd`,
  )
}

/** The same for a text column, cut to a length that a person still reads. */
export function boundedText(text: string, charactersMax: number): string {
  const clean = text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD')
  return clean.length <= charactersMax ? clean : `${clean.slice(0, charactersMax - 1)}…`
}
