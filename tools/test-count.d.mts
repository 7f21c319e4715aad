export interface Report {
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}
export function countResults(report: Report): { passed: number; failed: number }
