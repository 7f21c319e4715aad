import { defineConfig } from 'vitest/config'

/** Two rooms: what is pure needs no database, so it must not wait for one to start. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'pure',
          include: ['packages/*/src/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/*/src/**/*.test.ts', 'tests/**/*.{test,e2e}.ts'],
          globalSetup: ['apps/server/testing/postgres.global.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
