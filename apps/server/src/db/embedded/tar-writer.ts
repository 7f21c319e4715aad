import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { once } from 'node:events'

const BLOCK = 512
const CHUNK = 256 * 1024
/** Eleven octal digits. PostgreSQL cuts its files at one gigabyte. */
const SIZE_MAX = 8 ** 11 - 1

/** Writes the entries of a ustar archive one after the other. */
export interface TarWriter {
  folder(path: string): Promise<void>
  bytes(path: string, content: Buffer): Promise<string>
  /** Writes exactly `size` bytes of a file that may grow or shrink meanwhile. */
  file(path: string, source: FileHandle, size: number): Promise<string>
  end(): Promise<void>
}

/** Each file method returns the SHA-256 of what was written. */
export function createTarWriter(out: Writable, modifiedAt: Date): TarWriter {
  const seconds = Math.floor(modifiedAt.getTime() / 1000)
  const write = async (chunk: Buffer): Promise<void> => {
    if (!out.write(chunk)) await once(out, 'drain')
  }
  const header = async (path: string, type: '0' | '5', size: number): Promise<void> => {
    if (size > SIZE_MAX) throw new Error(`${path} is too large for a backup.`)
    const split = splitPath(path)
    if (split === undefined) {
      // Paths that fit neither field travel in a record of their own before the entry.
      const record = paxRecord('path', path)
      await write(headerBlock({ prefix: '', name: 'path' }, 'x', record.length, seconds))
      await write(padded(record))
    }
    await write(headerBlock(split ?? { prefix: '', name: 'long-path' }, type, size, seconds))
  }
  return {
    folder: async (path) => header(`${path}/`, '5', 0),
    bytes: async (path, content) => {
      await header(path, '0', content.length)
      await write(padded(content))
      return createHash('sha256').update(content).digest('hex')
    },
    file: async (path, source, size) => {
      await header(path, '0', size)
      const hash = createHash('sha256')
      let written = 0
      while (written < size) {
        const wanted = Math.min(CHUNK, size - written)
        const buffer = Buffer.alloc(wanted)
        const { bytesRead } = await source.read(buffer, 0, wanted, written)
        // The rest of a file cut short stays zero: replaying the log rewrites or drops those pages.
        const chunk = bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead)
        hash.update(chunk)
        await write(chunk)
        written += chunk.length
      }
      await write(Buffer.alloc(paddingOf(size)))
      return hash.digest('hex')
    },
    end: async () => {
      await write(Buffer.alloc(2 * BLOCK))
      out.end()
    },
  }
}

interface SplitPath {
  readonly prefix: string
  readonly name: string
}

function splitPath(path: string): SplitPath | undefined {
  if (Buffer.byteLength(path) <= 100) return { prefix: '', name: path }
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const prefix = path.slice(0, at)
    const name = path.slice(at + 1)
    if (name !== '' && Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100) {
      return { prefix, name }
    }
  }
  return undefined
}

function headerBlock(path: SplitPath, type: string, size: number, seconds: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(path.name, 0, 100, 'utf8')
  block.write(type === '5' ? '0000700' : '0000600', 100, 'latin1')
  block.write('0000000', 108, 'latin1')
  block.write('0000000', 116, 'latin1')
  block.write(octal(size, 11), 124, 'latin1')
  block.write(octal(seconds, 11), 136, 'latin1')
  block.write(' '.repeat(8), 148, 'latin1')
  block.write(type, 156, 'latin1')
  block.write('ustar\u000000', 257, 'latin1')
  block.write(path.prefix, 345, 155, 'utf8')
  block.write(`${octal(checksum(block), 6)}\0 `, 148, 'latin1')
  return block
}

export function checksum(block: Buffer): number {
  let sum = 0
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 32 : (block[at] ?? 0)
  return sum
}

function paxRecord(key: string, value: string): Buffer {
  const body = Buffer.byteLength(` ${key}=${value}\n`)
  let length = body + String(body).length
  // The length counts its own digits, which may add one more.
  if (body + String(length).length !== length) length = body + String(length).length
  return Buffer.from(`${length} ${key}=${value}\n`)
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc(paddingOf(content.length))])
}

export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}
