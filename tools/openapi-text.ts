import { openApiDocument } from '@merlon/contract'

/** The document as it is committed: one line per key, so that a change shows as a readable difference. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`
}
