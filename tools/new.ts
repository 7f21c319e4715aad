import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { recipes, scaffold } from './new/scaffold.ts'
import { root } from './root.mjs'

const USAGE = `Usage: npm run new <recipe> <name>

  npm run new endpoint shield/create-thing
  npm run new rule sql/stacked-query
  npm run new scanner-rule secrets/stripe-key
  npm run new module template-injection
  npm run new page findings/findings`

const [kind, name] = process.argv.slice(2)
if (kind === undefined || name === undefined || !(kind in recipes)) {
  console.error(USAGE)
  process.exitCode = 2
} else {
  try {
    const { written, newWorkspaces, next } = scaffold(root, kind, name)
    // The lists that gained a line are sorted, but not yet wrapped the way the formatter likes.
    spawnSync(join(root, 'node_modules', '.bin', 'oxfmt'), written, { cwd: root })
    for (const path of written) console.log(`wrote ${path}`)
    for (const path of newWorkspaces) {
      console.log(
        `${path} is new: give it a package.json and a tsconfig.json like its neighbours'.`,
      )
    }
    for (const step of next) console.log(`next: ${step}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
