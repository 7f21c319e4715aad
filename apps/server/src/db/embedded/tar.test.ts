import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readTar } from './tar-reader.ts'
import { checksum, createTarWriter } from './tar-writer.ts'
import type { TarWriter } from './tar-writer.ts'

async function archiveOf(fill: (tar: TarWriter) => Promise<unknown>): Promise<Buffer> {
  const out = new PassThrough()
  const chunks: Buffer[] = []
  out.on('data', (chunk: Buffer) => chunks.push(chunk))
  const tar = createTarWriter(out, new Date(0))
  await fill(tar)
  await tar.end()
  return Buffer.concat(chunks)
}

async function* inPieces(bytes: Buffer, size = 700): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function contentsOf(archive: Buffer): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const entry of readTar(inPieces(archive))) {
    if (entry.type === 'folder') found[`${entry.path}/`] = ''
    else found[entry.path] = Buffer.concat(await collect(entry.content)).toString()
  }
  return found
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}

/** An archive of one entry whose header is changed after the writer made it. */
async function tampered(change: (header: Buffer) => void): Promise<Buffer> {
  const archive = await archiveOf(async (tar) => tar.bytes('entry', Buffer.from('x')))
  const header = archive.subarray(0, 512)
  change(header)
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return archive
}

describe('a tar archive', () => {
  it.each([
    ['a short name', 'a/b'],
    ['a name of 100 bytes', 'n'.repeat(100)],
    ['a long path that can be split', `${'p'.repeat(90)}/${'n'.repeat(90)}`],
    ['a long name that cannot be split', `a/${'ü'.repeat(120)}`],
    ['a path of 1000 bytes', `${'d/'.repeat(450)}${'n'.repeat(100)}`],
  ])('gives back the content under %s', async (_, path) => {
    const archive = await archiveOf(async (tar) => tar.bytes(path, Buffer.from('content')))
    expect(await contentsOf(archive)).toEqual({ [path]: 'content' })
  })

  it('gives back folders and files of every length around a block', async () => {
    const wanted: Record<string, string> = { 'folder/': '' }
    for (const length of [0, 1, 511, 512, 513, 5000]) wanted[`f${length}`] = 'y'.repeat(length)
    const archive = await archiveOf(async (tar) => {
      await tar.folder('folder')
      for (const [path, text] of Object.entries(wanted).slice(1)) {
        await tar.bytes(path, Buffer.from(text))
      }
    })
    expect(await contentsOf(archive)).toEqual(wanted)
  })

  it('fills up a file that shrank after its length was noted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'merlon-tar-'))
    const path = join(folder, 'file')
    await writeFile(path, 'abcdef')
    const file = await open(path)
    await truncate(path, 3)
    const archive = await archiveOf(async (tar) => tar.file('file', file, 6))
    await file.close()
    await rm(folder, { recursive: true })
    expect(await contentsOf(archive)).toEqual({ file: 'abc\0\0\0' })
  })

  it('goes on when a caller leaves the content of an entry unread', async () => {
    const archive = await archiveOf(async (tar) => {
      await tar.bytes('one', Buffer.alloc(3000))
      await tar.bytes('two', Buffer.from('2'))
    })
    const paths: string[] = []
    for await (const entry of readTar(inPieces(archive))) paths.push(entry.path)
    expect(paths).toEqual(['one', 'two'])
  })

  it.each(['../escape', '/absolute', 'a/../../b', 'a//b', './a', 'a\\b', 'c:/x'])(
    'refuses the path %j',
    async (path) => {
      const archive = await archiveOf(async (tar) => tar.bytes(path, Buffer.from('x')))
      await expect(contentsOf(archive)).rejects.toThrow('not a sound backup')
    },
  )

  it.each([
    ['a hard link', '1'],
    ['a symbolic link', '2'],
    ['a device', '3'],
  ])('refuses %s', async (_, type) => {
    const archive = await tampered((header) => header.write(type, 156, 'latin1'))
    await expect(contentsOf(archive)).rejects.toThrow('neither a file nor a folder')
  })

  it('refuses a header whose checksum is wrong', async () => {
    const archive = await archiveOf(async (tar) => tar.bytes('entry', Buffer.from('x')))
    archive.write('E', 0, 'latin1')
    await expect(contentsOf(archive)).rejects.toThrow('no valid header')
  })

  it('refuses an archive that was cut', async () => {
    const archive = await archiveOf(async (tar) => tar.bytes('entry', Buffer.alloc(2000)))
    await expect(contentsOf(archive.subarray(0, 1500))).rejects.toThrow('ends too early')
  })
})
