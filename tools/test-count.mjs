/**
 * Counts a vitest JSON report. A file that could not be loaded has no tests of its own to fail, so
 * it counts as one failure: otherwise a broken import would look like fewer tests.
 */
export function countResults(report) {
  let passed = 0
  let failed = 0
  for (const file of report.testResults) {
    const statuses = file.assertionResults.map(({ status }) => status)
    passed += statuses.filter((status) => status === 'passed').length
    const failedHere = statuses.filter((status) => status === 'failed').length
    failed += file.status === 'failed' && failedHere === 0 ? 1 : failedHere
  }
  return { passed, failed }
}
