import { expect, test } from 'vitest'
import * as errors from '../../src/client/errors.js'
import { tableAfter } from '../readme/markdown.js'
import { guideOf } from './guides.js'

const page = guideOf('errors.md').text
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section): [string, string] => [section.slice(0, section.indexOf('\n')), section]),
)
const classes = Object.values(errors).flatMap((one) => {
  if (typeof one !== 'function' || !(one.prototype instanceof errors.GatewayError)) return []
  const error: unknown = Reflect.construct(one, ['message'])
  // What classes have in common has no code.
  if (!errors.isGatewayError(error) || !Object.hasOwn(error, 'code')) return []
  return [{ code: error.code, name: error.name }]
})
const codes = classes.map(({ code }) => code)

test('docs/errors.md has a section for every code, in the order of the classes', () => {
  expect([...sections.keys()]).toEqual(['`outcome`', 'The codes', ...codes])
})

test.each(codes)('the section on %s says what happened, what of the money, and what to do', (code) => {
  const section = sections.get(code) ?? ''
  expect(section.match(/^\*\*.*?\*\*/gm)).toEqual(['**What happened.**', '**The money.**', '**What to do.**'])
})

test('docs/errors.md has all outcomes, and every code in the table of what to do', () => {
  const outcomes: Record<errors.Outcome, true> = { 'not-accepted': true, unknown: true, accepted: true }
  const shown = tableAfter(page, '| `outcome` |').map(([outcome]) => outcome.replace(/[`']/g, ''))
  expect(shown.map((outcome) => outcome.replace(/'/g, ''))).toEqual(Object.keys(outcomes))
  const named = tableAfter(page, '| | codes |').flatMap(([, cell]) => cell.match(/(?<=`)[a-z_]+(?=`)/g) ?? [])
  expect([...new Set(named)].filter((name) => name !== 'retries').sort()).toEqual([...codes].sort())
})

test.each(classes)('the section on $code names its class', ({ code, name }) => {
  expect(sections.get(code)).toContain(`\n**What happened.** \`${name}\`: `)
})
