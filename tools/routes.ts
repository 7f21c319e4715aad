import { endpoints } from '@merlon/contract'
import { listImplementations } from './house/endpoints.ts'
import { readTree } from './house/tree.ts'
import { root } from './root.mjs'
import { formatTable } from './table.ts'

/** Prints every endpoint of the product with its door and the file that implements it. */
const files = new Map(listImplementations(readTree(root)).map(({ key, file }) => [key, file]))
const rows = Object.entries(endpoints).flatMap(([area, group]) =>
  Object.entries(group).map(([name, { method, path, auth }]) => [
    method,
    path,
    auth,
    files.get(`${area}.${name}`) ?? '(not implemented)',
  ]),
)
const byPath = rows.toSorted((a, b) => (a.slice(1, 2) + a[0] < b.slice(1, 2) + b[0] ? -1 : 1))
console.log(formatTable(['method', 'path', 'auth', 'file'], byPath))
