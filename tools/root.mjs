import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository: every tool works on it, wherever it is called from. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** True when the module behind `metaUrl` is the program itself and not an import of another one. */
export function isMain(metaUrl) {
  return process.argv[1] !== undefined && fileURLToPath(metaUrl) === process.argv[1]
}
