import { expect, test } from 'vitest'
import { deviceKey, parseUserAgent } from './user-agent.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0.0.0 Safari/537.36`,
    'Chrome',
    126,
    'Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0.0.0 Safari/537.36 Edg/125.0.0.0`,
    'Edge',
    125,
    'Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari',
    17,
    'iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    'Safari',
    17,
    'macOS',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
    'Firefox',
    127,
    'Linux',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${webkit} Chrome/126.0.0.0 Mobile Safari/537.36`,
    'Chrome',
    126,
    'Android',
  ],
  ['curl/8.5.0', 'curl', 8, 'other'],
  ['python-requests/2.31.0', 'python-requests', 2, 'other'],
  ['', 'other', 0, 'other'],
])('%s is understood', (header, family, major, platform) => {
  expect(parseUserAgent(header)).toEqual({ family, major, platform })
})

test('a header of a megabyte costs no time', () => {
  const before = performance.now()
  parseUserAgent(`Version/1${' Mobile/x'.repeat(100_000)}`)
  expect(performance.now() - before).toBeLessThan(50)
})

test('a browser update leaves the device as it was', () => {
  const at = (version: number) =>
    deviceKey(`Mozilla/5.0 (X11; Linux) Chrome/${version}.0 Safari/537`)
  expect(at(126)).toBe(at(127))
})
