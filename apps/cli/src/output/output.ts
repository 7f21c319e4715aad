import type { Host } from '../host.ts'
import { formatJson } from './json.ts'
import { clean } from './table.ts'

/** The two channels of a command: data on stdout for the next program, talk on stderr for people. */
export interface Output {
  readonly json: boolean
  /** The result: `value` as JSON under --json, the text of `asText` otherwise. */
  readonly result: (value: unknown, asText: () => string) => void
  /** One of many results, on a line of its own; compact JSON under --json. */
  readonly line: (value: unknown, asText: () => string) => void
  readonly say: (sentence: string) => void
  readonly fail: (sentence: string, facts?: Readonly<Record<string, unknown>>) => void
  readonly paint: (color: Color, text: string) => string
}

const colors = { red: 31, green: 32, yellow: 33, dim: 2 } as const
export type Color = keyof typeof colors

export function createOutput(host: Host, json: boolean): Output {
  const hasColor = host.stdoutIsTty && !json && !host.env.NO_COLOR && host.env.TERM !== 'dumb'
  return {
    json,
    result: (value, asText) => {
      const text = json ? formatJson(value) : asText()
      if (text !== '') host.writeOut(`${text}\n`)
    },
    line: (value, asText) => host.writeOut(`${json ? JSON.stringify(value) : asText()}\n`),
    say: (sentence) => host.writeErr(`${clean(sentence)}\n`),
    fail: (sentence, facts = {}) =>
      host.writeErr(
        json
          ? `${JSON.stringify({ ok: false, error: sentence, ...facts })}\n`
          : `merlon: ${clean(sentence)}\n`,
      ),
    paint: (color, text) => (hasColor ? `\u001B[${colors[color]}m${text}\u001B[0m` : text),
  }
}
