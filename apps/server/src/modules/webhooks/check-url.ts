import type { Config } from '../../config.ts'
import { problem } from '../../http/problem.ts'
import { refusalOfUrl } from '../../net/index.ts'

/** Throws where an address can be refused by its looks alone; names are judged when they are called. */
export function requireCallable(url: string, config: Config): void {
  const refusal = refusalOfUrl(url, { allowPrivate: config.privateTargets })
  if (refusal !== undefined) throw problem('invalid', `url ${refusal}`)
}
