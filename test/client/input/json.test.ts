import { describe, expect, it } from 'vitest'
import { jsonOf } from '../../../src/client/input/values.js'

describe('a text, as JSON,', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['null', null],
    ['', undefined],
    ['<html>', undefined],
    ['{"a":', undefined],
  ])('%j', (body, value) => {
    expect(jsonOf(body)).toEqual(value)
  })
})
