import { placeOf } from './places.ts'
import { ruleOf, type House, type Violation } from './plan.ts'
import { lineAt, takeApart } from './source-text.ts'
import type { Tree } from './tree.ts'

const LONG_BY_NATURE = /(\.(test|cases|e2e)\.tsx?|\/payloads\.ts|\/db\/tables\.ts)$/
const UNFINISHED = /\b(TODO|FIXME)\b/
/** Facts about the machine are no secret; what steers this process, or feeds it, is main.ts's affair. */
const PROCESS_FACTS =
  'platform|arch|pid|version|versions|execPath|getuid|geteuid|getgid|getegid|kill|hrtime|memoryUsage|cpuUsage|resourceUsage|uptime'
const PROCESS = new RegExp(
  String.raw`(?<![\w.$])process\s*\.\s*(?!(?:${PROCESS_FACTS})\b)|globalThis\s*\.\s*process\b`,
)
const CLOCK = /\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|(?<![\w.$])performance\s*\.|\bhrtime\b/
const SQL =
  /(?<![\w$])sql\s*(<[^<>()]*>\s*)?`|\.\s*(query|selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\s*\(/
const SQL_ROOMS = new Set(['server/db', 'server/jobs'])

/** The rules that one file keeps or breaks by itself. */
export function checkTexts(tree: Tree, house: House): readonly Violation[] {
  return [...tree].flatMap(([file, text]) => checkText(file, text, house))
}

function checkText(file: string, text: string, house: House): readonly Violation[] {
  const violations: Violation[] = []
  const place = placeOf(house, file)
  const { code, bareCode, comments } = takeApart(text)
  const forbid = (where: string, pattern: RegExp, says: string) => {
    const match = pattern.exec(where)
    if (match !== null) violations.push({ file, line: lineAt(where, match.index), text: says })
  }
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  if (lines > house.linesMax && !LONG_BY_NATURE.test(file)) {
    violations.push({ file, text: `has ${lines} lines; at most ${house.linesMax} are readable` })
  }
  forbid(comments, UNFINISHED, 'is unfinished: finish it, or file an issue instead')
  if (place.kind !== 'source') return violations
  if (!file.endsWith('/main.ts')) {
    forbid(bareCode, PROCESS, 'touches `process`; only a main.ts may')
    forbid(code, /['"]node:process['"]/, 'touches `process`; only a main.ts may')
  }
  if (ruleOf(house, place.name)?.clock === false) {
    forbid(bareCode, CLOCK, `reads the clock; in ${place.name} time is an argument`)
  }
  const mayHoldSql = SQL_ROOMS.has(place.name) || file.endsWith('.repo.ts')
  if (place.workspace === 'apps/server' && !mayHoldSql) {
    forbid(bareCode, SQL, 'holds SQL; it belongs into a *.repo.ts')
  }
  return violations
}
