import { describe, expect, it } from 'vitest'
import { checkEndpoints } from './endpoints.ts'
import { plantedHouse, treeOf } from './planted.ts'

const table = {
  apps: {
    createApp: { method: 'POST', path: '/apps', statuses: [201, 400, 401, 404], body: {} },
  },
}
const FOLDER = 'apps/server/src/modules/apps'
const handler = `export const createApp = implement(endpoints.apps.createApp, () => 1)`
const test = `describe('201', x); describe('400', x); describe('404', x)`

function complaintsOf(files: Readonly<Record<string, string>>): readonly string[] {
  return checkEndpoints(treeOf(files), table, plantedHouse).map((violation) => violation.text)
}

describe('checkEndpoints', () => {
  it('accepts an endpoint that is implemented once and proven', () => {
    const files = { [`${FOLDER}/create-app.ts`]: handler, [`${FOLDER}/create-app.test.ts`]: test }
    expect(complaintsOf(files)).toEqual([])
  })

  it('refuses an endpoint without an implementation', () => {
    expect(complaintsOf({})[0]).toContain('implemented 0 times')
  })

  it('refuses an endpoint with two implementations', () => {
    const files = { [`${FOLDER}/create-app.ts`]: handler, [`${FOLDER}/other.ts`]: handler }
    expect(complaintsOf(files)[0]).toContain('implemented 2 times')
  })

  it('refuses an endpoint without a test beside it', () => {
    expect(complaintsOf({ [`${FOLDER}/create-app.ts`]: handler })[0]).toContain(
      'create-app.test.ts',
    )
  })

  it('refuses an endpoint in a file of another name', () => {
    const files = { [`${FOLDER}/apps.ts`]: handler, [`${FOLDER}/apps.test.ts`]: test }
    expect(complaintsOf(files)[0]).toContain('belongs into create-app.ts')
  })

  it('refuses a test that leaves a status out', () => {
    const files = {
      [`${FOLDER}/create-app.ts`]: handler,
      [`${FOLDER}/create-app.test.ts`]: test.replace(`describe('404', x)`, ''),
    }
    expect(complaintsOf(files)).toEqual([`has no describe('404') although POST /apps answers it`])
  })
})
