import { importTypeScript } from './bundle.mjs'
import { ensureInstalled } from './install.mjs'

const [entry, ...rest] = process.argv.slice(2)
if (entry === undefined) {
  console.error('Usage: node tools/run-ts.mjs <file.ts> [arguments]')
  process.exit(2)
}
await ensureInstalled()
// The program sees the command line it would see if Node ran the TypeScript file itself.
process.argv = [process.argv[0], entry, ...rest]
await importTypeScript(entry)
