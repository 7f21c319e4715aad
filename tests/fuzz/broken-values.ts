import type { Random } from './random.ts'

const DEPTH = 10_000

/** JSON texts, not values: most of what can go wrong cannot be written with JSON.stringify. */
const texts: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1',
  '0.5',
  '1e308',
  '-1e308',
  '1e400',
  '-1e400',
  '1e-400',
  '2147483648',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '18446744073709551616',
  '9'.repeat(400),
  '""',
  '" "',
  '"\\t\\n"',
  '"\\u0000"',
  '"before\\u0000after"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\ud83d\\ude00"',
  '"\\uffff\\ufffe"',
  '"\u202e\u200b\u0301"',
  '"İıſẞ"',
  '"\'; drop table apps; --"',
  '"$1"',
  '"%s%n%00"',
  '"../../../../etc/passwd"',
  '"<script>1</script>"',
  '"null"',
  '"NaN"',
  '"Infinity"',
  '"-infinity"',
  '"0000-00-00T00:00:00Z"',
  '"9999-12-31T23:59:59.999Z"',
  '"+275760-09-13T00:00:00.000Z"',
  '"2026-02-30T25:61:61Z"',
  '"2026-06-30T23:59:60Z"',
  '"0001-01-01T00:00:00+23:59"',
  '[]',
  '[null]',
  '[[[[]]]]',
  '{}',
  '{"":""}',
  '{"length":1}',
  '{"toString":null,"valueOf":1,"hasOwnProperty":0}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"a":1,"a":2}',
]

export function brokenText(random: Random): string {
  if (random.chance(0.01)) return random.chance(0.5) ? nested('[', ']') : nested('{"a":', '}', '1')
  if (random.chance(0.02)) return JSON.stringify(longText(random))
  return random.pick(texts)
}

function nested(open: string, close: string, middle = ''): string {
  return open.repeat(DEPTH) + middle + close.repeat(DEPTH)
}

function longText(random: Random): string {
  const length = random.pick([101, 201, 255, 256, 10_001, 100_000])
  return random.pick(['a', ' ', 'é', '😀', '\\', '"', '\u0301']).repeat(length)
}

/** Names that a careless server would look up on a prototype, and names that nobody declared. */
export function strangeName(random: Random): string {
  return random.pick([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    ' ',
    'id',
    'accountId',
    'role',
    'unknownField',
    'nul\u0000name',
    'half\ud800name',
    'x'.repeat(5_000),
    'a.b',
    'a/b~c',
    'a[b]',
  ])
}
