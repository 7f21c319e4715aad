import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { isMain, root } from './root.mjs'

/**
 * Types, lint and format. Every step runs even when an earlier one failed: one run shows all there
 * is to mend. Packages are checked on their own too, which proves that the pure ones use no Node types.
 */
export async function runChecks() {
  const results = []
  results.push(await step('types: everything', compiler('.')))
  const packages = readdirSync(join(root, 'packages')).filter((name) =>
    existsSync(join(root, 'packages', name, 'tsconfig.json')),
  )
  const perPackage = packages.map((name) =>
    step(`types: packages/${name} alone`, compiler(`packages/${name}`)),
  )
  results.push(...(await Promise.all(perPackage)))
  results.push(await step('lint', ['oxlint', '--deny-warnings', '.']))
  results.push(await step('format', ['oxfmt', '--check', '.']))
  return results
}

/** The compiler remembers what it has proven, so that a second run looks only at what changed. */
function compiler(folder) {
  const memory = `.build/tsc/${folder.replaceAll(/\W+/g, '-')}.tsbuildinfo`
  return ['tsc', '-p', folder, '--incremental', '--tsBuildInfoFile', join(root, memory)]
}

/** The structure of the house; `npm test` meets it among all other tests. */
export function runHouse() {
  return step('house', ['vitest', 'run', '--project', 'pure', 'tools/house'])
}

async function step(name, [program, ...args]) {
  const started = performance.now()
  const { code, output } = await run(join(root, 'node_modules', '.bin', program), args)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  if (code !== 0) console.log(output.trimEnd())
  return { name, ok: code === 0 }
}

function run(program, args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

if (isMain(import.meta.url)) {
  await ensureInstalled()
  const results = [...(await runChecks()), await runHouse()]
  process.exitCode = results.every(({ ok }) => ok) ? 0 : 1
}
