import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/client/input/json.js'

describe('parseJson', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['null', null],
    ['', undefined],
    ['<html>', undefined],
    ['{"a":', undefined],
  ])('%j', (body, value) => {
    expect(parseJson(body)).toEqual(value)
  })
})
