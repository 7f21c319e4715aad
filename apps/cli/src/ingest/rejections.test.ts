import { describe, expect, it } from 'vitest'
import { createRejections } from './rejections.ts'

describe('createRejections', () => {
  it('puts neighbours of one reason on one line', () => {
    const rejections = createRejections()
    for (const [line, error] of [
      [1, 'Bad.'],
      [2, 'Bad.'],
      [4, 'Worse.'],
    ] as const) {
      rejections.add({ line, error })
    }
    expect(rejections.sentences()).toEqual(['lines 1 to 2: Bad.', 'line 4: Worse.'])
  })

  it('lists them in the order of the input', () => {
    const rejections = createRejections()
    rejections.add({ line: 9, error: 'Bad.' })
    rejections.add({ line: 2, error: 'Worse.' })
    expect(rejections.listed().map(({ line }) => line)).toEqual([2, 9])
  })

  it('counts all and lists the first 1,000', () => {
    const rejections = createRejections()
    for (let line = 1; line <= 1005; line++) rejections.add({ line, error: `Bad ${line}.` })
    expect([rejections.count, rejections.listed().length, rejections.sentences().at(-1)]).toEqual([
      1005,
      1000,
      'and 5 more.',
    ])
  })
})
