import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Blueprint, Read } from './blueprint.ts'
import { planEndpoint } from './endpoint.ts'
import { planPage } from './page.ts'
import { planPentestModule } from './pentest-module.ts'
import { planScannerRule } from './scanner-rule.ts'
import { planWafRule } from './waf-rule.ts'

/** The five recipes of CONTRIBUTING.md, by the word that names them on the command line. */
export const recipes: Readonly<Record<string, (name: string, read: Read) => Blueprint>> = {
  endpoint: planEndpoint,
  rule: planWafRule,
  'scanner-rule': planScannerRule,
  module: planPentestModule,
  page: planPage,
}

export interface Outcome {
  readonly written: readonly string[]
  /** Packages and apps that did not exist before. */
  readonly newWorkspaces: readonly string[]
  readonly next: readonly string[]
}

/** Writes the files of a recipe below `root`; writes nothing at all when one of them exists. */
export function scaffold(root: string, kind: string, name: string): Outcome {
  const plan = recipes[kind]
  if (plan === undefined) {
    throw new Error(`There is no recipe "${kind}"; there are ${Object.keys(recipes).join(', ')}`)
  }
  const read: Read = (path) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
  const { create, share, change, next } = plan(name, read)
  for (const path of Object.keys(create)) {
    if (read(path) !== undefined) throw new Error(`${path} exists already; nothing was written`)
  }
  const missing = Object.entries(share).filter(([path]) => read(path) === undefined)
  const files = { ...create, ...Object.fromEntries(missing), ...change }
  const newWorkspaces = [...new Set(Object.keys(files).map(workspaceOf))].filter(
    (workspace) => !existsSync(join(root, workspace, 'package.json')),
  )
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return { written: Object.keys(files), newWorkspaces, next }
}

function workspaceOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}
