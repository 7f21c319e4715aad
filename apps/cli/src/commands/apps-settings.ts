import type { AppSettings, AppSettingsUpdate } from '@merlon/client'
import { defineCommand } from '../command.ts'
import { exitCode, UsageError } from '../exit-code.ts'
import { formatFacts } from '../output/table.ts'

export const appsSettings = defineCommand({
  name: 'apps settings',
  summary: 'Show the settings of an app, or change some of them',
  arguments: ['id'],
  options: {
    set: {
      kind: 'texts',
      value: 'section.name=value',
      summary: 'change one setting',
    },
  },
  run: async ({ client, out }, { arguments: { id }, options }) => {
    const params = { id }
    const changes = options.set.map(parseAssignment)
    const { settings: current } = await client().apps.getApp({ params })
    const settings =
      changes.length === 0
        ? current
        : await client().apps.updateAppSettings({ params, body: settingsUpdate(changes, current) })
    out.result(settings, () => formatFacts(flatten(settings)))
    return exitCode.ok
  },
})

interface Assignment {
  readonly section: string
  readonly name: string
  readonly value: string
}

export function parseAssignment(text: string): Assignment {
  const [, section, name, value] = /^(\w+)\.(\w+)=(.*)$/s.exec(text) ?? []
  if (section === undefined || name === undefined || value === undefined) {
    throw new UsageError(`"${text}" is no change; one looks like shield.mode=strict.`)
  }
  return { section, name, value }
}

/**
 * The server knows which settings there are and what they may be, and says so in its refusal. Here
 * only the type is guessed: a list where one stands now, else JSON, else a word.
 */
export function settingsUpdate(
  changes: readonly Assignment[],
  current: AppSettings,
): AppSettingsUpdate {
  const sections = new Map<string, Map<string, unknown>>()
  for (const { section, name, value } of changes) {
    const named = sections.get(section) ?? new Map<string, unknown>()
    named.set(name, typed(value, currentValue(current, section, name)))
    sections.set(section, named)
  }
  return Object.fromEntries(
    [...sections].map(([section, named]) => [section, Object.fromEntries(named)]),
  )
}

function currentValue(settings: AppSettings, section: string, name: string): unknown {
  const found = Object.entries(settings).find(([key]) => key === section)?.[1]
  return Object.entries(found ?? {}).find(([key]) => key === name)?.[1]
}

function typed(value: string, current: unknown): unknown {
  const parsed = parseJson(value)
  if (Array.isArray(current) && !Array.isArray(parsed)) {
    return value === '' ? [] : value.split(',').map((entry) => entry.trim())
  }
  return typeof current === 'string' ? value : (parsed ?? value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function flatten(settings: AppSettings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([section, values]) =>
      Object.entries(values).map(([name, value]: [string, unknown]) => [
        `${section}.${name}`,
        Array.isArray(value) ? value.join(', ') : String(value),
      ]),
    ),
  )
}
