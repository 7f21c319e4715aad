import { checksum, paddingOf } from './tar-writer.ts'

const BLOCK = 512
const PATH_RECORD_BYTES_MAX = 64 * 1024

export type TarEntry =
  | { readonly type: 'folder'; readonly path: string }
  | { readonly type: 'file'; readonly path: string; readonly content: AsyncIterable<Buffer> }

/**
 * Reads an archive entry by entry. It knows files and folders alone: links and devices are
 * refused, and so is every path that could lead out of the folder it is unpacked into.
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = createByteReader(source)
  let longPath: string | undefined
  for (;;) {
    const block = await bytes.take(BLOCK)
    if (block.every((byte) => byte === 0)) {
      // Only at its very end does the compression tell whether it was whole.
      await bytes.drain()
      return
    }
    const entry = parseHeader(block)
    if (entry.type === 'x') {
      if (entry.size > PATH_RECORD_BYTES_MAX) throw damaged('a path record is too long')
      const record = await bytes.take(entry.size)
      await bytes.take(paddingOf(entry.size))
      longPath = parsePathRecord(record.toString('utf8'))
      continue
    }
    const path = requireSafePath(longPath ?? entry.path)
    longPath = undefined
    if (entry.type === '5') {
      yield { type: 'folder', path }
      continue
    }
    if (entry.type !== '0') throw damaged(`${path} is neither a file nor a folder`)
    let left = entry.size
    async function* content(): AsyncGenerator<Buffer> {
      while (left > 0) {
        const chunk = await bytes.takeSome(left)
        left -= chunk.length
        yield chunk
      }
    }
    yield { type: 'file', path, content: content() }
    while (left > 0) left -= (await bytes.takeSome(left)).length
    await bytes.take(paddingOf(entry.size))
  }
}

interface ByteReader {
  take(count: number): Promise<Buffer>
  takeSome(max: number): Promise<Buffer>
  drain(): Promise<void>
}

function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const takeSome = async (max: number): Promise<Buffer> => {
    while (held.length === 0) {
      const next = await chunks.next()
      if (next.done === true) throw damaged('it ends too early')
      held = next.value
    }
    const part = held.subarray(0, max)
    held = held.subarray(part.length)
    return part
  }
  return {
    takeSome,
    drain: async () => {
      while ((await chunks.next()).done !== true) continue
    },
    take: async (count) => {
      const parts: Buffer[] = []
      for (let left = count; left > 0;) {
        const part = await takeSome(left)
        parts.push(part)
        left -= part.length
      }
      return Buffer.concat(parts)
    },
  }
}

function parseHeader(block: Buffer): { path: string; type: string; size: number } {
  if (
    text(block, 257, 5) !== 'ustar' ||
    Number.parseInt(text(block, 148, 8), 8) !== checksum(block)
  )
    throw damaged('an entry has no valid header')
  const size = Number.parseInt(text(block, 124, 12), 8)
  if (!Number.isSafeInteger(size) || size < 0) throw damaged('an entry has no valid size')
  const prefix = text(block, 345, 155)
  const name = text(block, 0, 100)
  return { path: prefix === '' ? name : `${prefix}/${name}`, type: text(block, 156, 1), size }
}

function text(block: Buffer, start: number, length: number): string {
  const field = block.subarray(start, start + length)
  const end = field.indexOf(0)
  return field.subarray(0, end === -1 ? length : end).toString('utf8')
}

function parsePathRecord(record: string): string {
  const path = /^\d+ path=([^\n]*)\n$/.exec(record)?.[1]
  if (path === undefined) throw damaged('a path record cannot be read')
  return path
}

export function requireSafePath(raw: string): string {
  const path = raw.endsWith('/') ? raw.slice(0, -1) : raw
  const parts = path.split('/')
  const isSafe =
    parts.every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\\0:]/.test(path)
  if (!isSafe) throw damaged(`it names the path ${JSON.stringify(raw)}`)
  return path
}

function damaged(what: string): Error {
  return new Error(`This is not a sound backup: ${what}.`)
}
