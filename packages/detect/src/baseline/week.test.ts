import { expect, test } from 'vitest'
import { hourOfWeek, isWeekendHour, ownHours, pooledHours } from './week.ts'

test('the week begins on Monday at midnight UTC', () => {
  expect(hourOfWeek(Date.UTC(2026, 2, 2))).toBe(0)
  expect(hourOfWeek(Date.UTC(2026, 2, 8, 23))).toBe(167)
})

test('Saturday and Sunday are the weekend', () => {
  expect(isWeekendHour(hourOfWeek(Date.UTC(2026, 2, 6, 23)))).toBe(false)
  expect(isWeekendHour(hourOfWeek(Date.UTC(2026, 2, 7)))).toBe(true)
})

test('a working hour is pooled with its neighbours on five days', () => {
  expect(pooledHours(10)).toHaveLength(15)
})

test('a weekend hour is pooled on two days', () => {
  expect(pooledHours(130)).toEqual([129, 130, 131, 153, 154, 155])
})

test('midnight borders on eleven at night', () => {
  expect(ownHours(24)).toEqual([47, 24, 25])
})
