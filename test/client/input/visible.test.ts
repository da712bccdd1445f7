import { expect, test } from 'vitest'
import { visible } from '../../../src/client/input/visible.js'

test.each([
  ['a control character', '\u001b[2J\u0000\u009b', '\\u001b[2J\\u0000\\u009b'],
  ['the end of a line', 'a\r\nb\u2028c\u0085d', 'a\\u000d\\u000ab\\u2028c\\u0085d'],
  ['a mark that turns the text around', '\u202egnp.exe\u2066', '\\u202egnp.exe\\u2066'],
  ['what has no width', 'M-0\u200b01\ufeff\u00ad', 'M-0\\u200b01\\ufeff\\u00ad'],
  ['a tag beyond the first plane', '\u{e0041}', '\\udb40\\udc41'],
  ['half a character', 'a\ud800b', 'a\\ud800b'],
])('%s in a text that came from elsewhere is seen', (_what, text, seen) => {
  expect(visible(text)).toBe(seen)
  expect(JSON.parse(visible(JSON.stringify(text)))).toBe(text)
})

test('letters of any language stay as they are', () => {
  for (const text of ['Łódź', '東京 支店', 'القاهرة', 'e\u0301', '€ 10 🙂']) expect(visible(text)).toBe(text)
})
