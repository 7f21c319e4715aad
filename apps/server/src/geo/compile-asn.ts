import { setImmediate } from 'node:timers/promises'
import { parseIp } from '@merlon/base'
import { fourWords } from './address.ts'
import { Owners, Ranges } from './asn-parts.ts'
import { encodeAsnTable } from './asn-table.ts'
import { eachLine } from './csv-lines.ts'

export interface AsnFiles {
  /** Rows of first address, last address (as numbers), number and name of the network. */
  readonly v4: string
  /** The same with addresses as text. */
  readonly v6: string
}

export interface CompiledAsn {
  readonly bytes: Uint8Array
  /** Rows that were malformed, or began before the row in front of them ended. */
  readonly skipped: number
}

const comma = 0x2c

export async function compileAsn(files: AsnFiles, signal?: AbortSignal): Promise<CompiledAsn> {
  const owners = new Owners()
  const v4 = new Ranges(1)
  const v6 = new Ranges(4)
  await eachLine(files.v4, (line) => addRow(line, v4, owners, numberWord), signal)
  await eachLine(files.v6, (line) => addRow(line, v6, owners, addressWords), signal)
  const parts = { v4: v4.parts(), v6: v6.parts(), ...owners.parts() }
  await setImmediate()
  return { bytes: encodeAsnTable(parts), skipped: v4.skipped + v6.skipped }
}

type ReadAddress = (line: Buffer, from: number, to: number) => readonly number[] | undefined

function addRow(line: Buffer, ranges: Ranges, owners: Owners, read: ReadAddress): void {
  const first = line.indexOf(comma)
  const second = line.indexOf(comma, first + 1)
  if (first === -1 || second === -1) return ranges.skip()
  const third = line.indexOf(comma, second + 1)
  const asnEnd = third === -1 ? line.length : third
  const start = read(line, 0, first)
  const end = read(line, first + 1, second)
  const owner = owners.indexOf(decimal(line, second + 1, asnEnd), () =>
    line.toString('latin1', asnEnd + 1),
  )
  if (start === undefined || end === undefined || owner === undefined) return ranges.skip()
  ranges.add(start, end, owner)
}

/** A whole number of 32 bits, read from its digits: a text for each would be a million texts. */
function decimal(line: Buffer, from: number, to: number): number | undefined {
  if (to === from) return undefined
  let value = 0
  for (let at = from; at < to; at += 1) {
    const digit = (line[at] ?? 0) - 0x30
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value <= 0xffff_ffff ? value : undefined
}

function numberWord(line: Buffer, from: number, to: number): readonly number[] | undefined {
  const value = decimal(line, from, to)
  return value === undefined ? undefined : [value]
}

function addressWords(line: Buffer, from: number, to: number): readonly number[] | undefined {
  const words = parseIp(line.toString('latin1', from, to))
  return words === undefined ? undefined : fourWords(words)
}
