/** Options that several commands share. */
export const app = { kind: 'needed-text', value: 'id', summary: 'the app' } as const

export const yes = { kind: 'flag', summary: 'do not ask' } as const

export const user = {
  kind: 'needed-text',
  value: 'userId',
  summary: 'the user, as your events name them',
} as const

export const cursor = {
  kind: 'text',
  value: 'cursor',
  summary: 'go on where an earlier page ended',
} as const

export const limit = {
  kind: 'count',
  value: 'count',
  summary: 'how many on a page (1 to 100, default 50)',
} as const
