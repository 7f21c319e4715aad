import { describe, expect, it } from 'vitest'
import { countResults } from './test-count.mjs'

function fileWith(status: string, ...tests: readonly string[]) {
  return { status, assertionResults: tests.map((test) => ({ status: test })) }
}

describe('countResults', () => {
  it('adds up the tests of all files', () => {
    const testResults = [fileWith('passed', 'passed', 'passed'), fileWith('failed', 'failed')]
    expect(countResults({ testResults })).toEqual({ passed: 2, failed: 1 })
  })

  it('counts a file that could not be loaded as one failure', () => {
    expect(countResults({ testResults: [fileWith('failed')] })).toEqual({ passed: 0, failed: 1 })
  })

  it('counts a file whose set-up failed although its tests passed', () => {
    const testResults = [fileWith('failed', 'passed')]
    expect(countResults({ testResults })).toEqual({ passed: 1, failed: 1 })
  })

  it('counts a skipped test as neither', () => {
    const testResults = [fileWith('passed', 'skipped', 'todo')]
    expect(countResults({ testResults })).toEqual({ passed: 0, failed: 0 })
  })
})
