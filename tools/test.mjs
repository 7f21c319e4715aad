import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './browser.mjs'
import { build } from './build.mjs'
import { runChecks } from './check.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './root.mjs'
import { countResults } from './test-count.mjs'

const filters = process.argv.slice(2)
await ensureInstalled()

const count = { passed: 0, failed: 0 }
await step('build', async () => void (await build()))
await step('browser', async () => {
  if (needsBrowser()) process.env.MERLON_CHROMIUM = await ensureChromium()
})
if (filters.length === 0) {
  for (const { ok } of await runChecks()) count[ok ? 'passed' : 'failed'] += 1
}
await runTests()

console.log(`${count.passed} passed, ${count.failed} failed`)
process.exitCode = count.failed > 0 || count.passed === 0 ? 1 : 0

/** What has to work before any test can: its failure counts, its success is no test. */
async function step(name, work) {
  try {
    await work()
  } catch (error) {
    console.error(`FAILED ${name}: ${error instanceof Error ? error.message : String(error)}`)
    count.failed += 1
  }
}

async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'merlon-test-'))
  const report = join(folder, 'vitest.json')
  const code = await vitest(report)
  let results
  try {
    results = countResults(JSON.parse(readFileSync(report, 'utf8')))
  } catch {
    results = { passed: 0, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  count.passed += results.passed
  count.failed += results.failed
  // A run can fail with every test green, for example through an error outside of any test.
  if (code !== 0 && results.failed === 0) count.failed += 1
}

function vitest(report) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...filters],
    { cwd: root, stdio: 'inherit' },
  )
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.on('error', () => resolve(1))
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/** A browser is large, so it is fetched only when a test of this run asks for one. */
function needsBrowser() {
  return ['packages', 'apps', 'tests']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((path) => /\.(test|e2e)\.tsx?$/.test(path) && !path.includes('node_modules/'))
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
    .some((path) => readFileSync(join(root, path), 'utf8').includes('MERLON_CHROMIUM'))
}
