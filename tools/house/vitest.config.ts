import { defineConfig } from 'vitest/config'

/** The structure alone: no database is started for it, so `npm run check` stays quick. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['tools/house.test.ts', 'tools/house/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
  },
})
