/** One thing that was looked at. `warn` works today; `fail` does not; `skip` could not be asked. */
export interface Check {
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail' | 'skip'
  readonly detail: string
}

export function check(name: string, status: Check['status'], detail: string): Check {
  return { name, status, detail }
}
