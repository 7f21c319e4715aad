import { expect, test } from 'vitest'
import { calm, followExcursion, isLasting, type Excursion } from './excursion.ts'

const window = 300_000

/** Indexes of the windows that raise an alarm. */
function alarms(over: readonly boolean[]): number[] {
  let excursion: Excursion = calm
  const found: number[] = []
  for (const [index, isOver] of over.entries()) {
    const step = followExcursion(excursion, index * window, isOver)
    excursion = step.excursion
    if (step.isAlarm) found.push(index)
  }
  return found
}

test('one window above the threshold is no alarm', () => {
  expect(alarms([true, false, false, true, false, false])).toEqual([])
})

test('two in a row are an alarm', () => {
  expect(alarms([true, true])).toEqual([1])
})

test('two of three are an alarm', () => {
  expect(alarms([true, false, true])).toEqual([2])
})

test('one excursion is reported once', () => {
  expect(alarms(Array<boolean>(100).fill(true))).toEqual([1])
})

test('an excursion that lasts is reported again after a day', () => {
  expect(alarms(Array<boolean>(300).fill(true))).toEqual([1, 289])
})

test('after an hour of calm the next excursion is a new one', () => {
  expect(alarms([true, true, ...Array<boolean>(13).fill(false), true, true])).toEqual([1, 16])
})

test('a day above the threshold is lasting', () => {
  const excursion: Excursion = { over: [0], since: 0, lastOver: 0, reportedAt: 0 }
  expect(isLasting(excursion, 287 * window)).toBe(false)
  expect(isLasting(excursion, 288 * window)).toBe(true)
})

test('an excursion that comes back every night is lasting', () => {
  const nights = [0, 1, 2].flatMap(() => [true, true, ...Array<boolean>(286).fill(false)])
  let excursion: Excursion = calm
  for (const [index, isOver] of [...nights, true].entries()) {
    excursion = followExcursion(excursion, index * window, isOver).excursion
  }
  expect(isLasting(excursion, nights.length * window)).toBe(true)
})
