import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { importTypeScript } from '../tools/bundle.mjs'
import { root } from '../tools/root.mjs'
import { formatTable } from '../tools/table.ts'
import { budgetOf, describeBudget, overBudget, type Budgets } from './budgets.ts'
import type { Bench, BenchContext, BenchResult } from './define.ts'
import { describeMachine } from './machine.ts'

const USAGE = 'Usage: npm run bench -- <name>|all [--quick] [--suite path]'

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false }, suite: { type: 'string' } },
  })
  const benches = listBenches()
  if (positionals.length === 0) {
    const all = await Promise.all(benches.map(load))
    console.log(`${USAGE}\n`)
    console.log(
      formatTable(
        ['name', 'measures'],
        all.map(({ name, summary }) => [name, summary]),
      ),
    )
    return 0
  }
  const wanted = positionals.includes('all') ? benches : positionals
  const unknown = wanted.filter((name) => !benches.includes(name))
  if (unknown.length > 0) {
    console.error(`There is no bench ${unknown.join(', ')}; there are ${benches.join(', ')}.`)
    return 2
  }
  const context: BenchContext = {
    quick: values.quick,
    ...(values.suite === undefined ? {} : { suite: values.suite }),
    log: (line) => console.error(line),
  }
  return runAll(wanted, context)
}

function listBenches(): readonly string[] {
  return readdirSync(join(root, 'bench'))
    .flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? [])
    .toSorted()
}

async function load(name: string): Promise<Bench> {
  const { default: bench } = await importTypeScript(`bench/${name}.bench.ts`)
  if (!isBench(bench)) throw new Error(`bench/${name}.bench.ts must export defineBench(...)`)
  return bench
}

function isBench(value: unknown): value is Bench {
  return typeof value === 'object' && value !== null && 'run' in value && 'summary' in value
}

async function runAll(names: readonly string[], context: BenchContext): Promise<number> {
  const budgets = JSON.parse(readFileSync(join(root, 'bench/budgets.json'), 'utf8')) as Budgets
  const machine = describeMachine(root, new Date())
  console.log(
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}, ` +
      `Node ${machine.node}, ${machine.date}, commit ${machine.commit}\n`,
  )
  let failures = 0
  for (const name of names) {
    const bench = await load(name)
    console.log(`${name}: ${bench.summary}`)
    const results = await bench.run(context)
    const complaints = results.map((result) =>
      overBudget(budgetOf(budgets, name, result.what), result.ratio),
    )
    console.log(`${tableOf(name, results, complaints, budgets)}\n`)
    record({ bench: name, quick: context.quick, machine, results })
    // A quick run shows that a bench works; its figures are too rough to fail anybody.
    if (!context.quick) failures += complaints.filter((text) => text !== undefined).length
  }
  if (failures > 0) console.log(`${failures} over budget.`)
  return failures > 0 ? 1 : 0
}

function tableOf(
  name: string,
  results: readonly BenchResult[],
  complaints: readonly (string | undefined)[],
  budgets: Budgets,
): string {
  const rows = results.map(({ what, unit, ratio, own, peer, rounds }, index) => [
    what,
    ratio.toFixed(3),
    describeBudget(budgetOf(budgets, name, what)),
    figure(own),
    figure(peer),
    unit,
    String(rounds),
    complaints[index] === undefined ? '' : `OVER BUDGET: ${complaints[index]}`,
  ])
  return formatTable(['what', 'ratio', 'budget', 'own', 'peer', 'unit', 'rounds', ''], rows)
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3)
}

function record(entry: object): void {
  mkdirSync(join(root, '.build'), { recursive: true })
  appendFileSync(join(root, '.build', 'bench.jsonl'), `${JSON.stringify(entry)}\n`)
}
