#!/usr/bin/env node
// In a checkout the program is built into dist/ by `npm start` or `npm run build`.
import { existsSync } from 'node:fs'

const program = new URL('../../../dist/merlon.mjs', import.meta.url)
if (!existsSync(program)) throw new Error('merlon is not built yet: run `npm run build` first.')
await import(program.href)
