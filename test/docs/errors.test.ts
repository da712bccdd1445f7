import { describe, expect, test } from 'vitest'
import { errorCodes, type Outcome } from '../../src/index.js'
import { tableAfter } from '../readme/markdown.js'
import { guideOf } from './guides.js'

const page = guideOf('errors.md').text
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section): [string, string] => [section.slice(0, section.indexOf('\n')), section]),
)
const all = Object.entries(errorCodes)
const codes = all.map(([code]) => code)
const codesIn = (text: string) => text.match(/(?<=`)[a-z_]+(?=`)/g) ?? []
const codesWhere = (fits: (meaning: (typeof all)[number][1]) => boolean) =>
  all.filter(([, meaning]) => fits(meaning)).map(([code]) => code)

test('docs/errors.md has a section for every code, in the order of the table', () => {
  expect([...sections.keys()]).toEqual(['`outcome`', 'The codes', ...codes])
})

describe.each(all)('the section on %s', (code, { class: { name }, outcomes }) => {
  const section = sections.get(code) ?? ''
  const [happened = '', money = ''] = section.split(/^(?=\*\*)/m).slice(1)

  test('says what happened, what of the money, and what to do', () => {
    expect(section.match(/^\*\*.*?\*\*/gm)).toEqual([
      '**What happened.**',
      '**The money.**',
      '**What to do.**',
    ])
  })

  test('names its class', () => {
    expect(happened).toContain(`**What happened.** \`${name}\`: `)
  })

  test('names the outcomes that it can have', () => {
    const named = money.match(/(?<=`')[a-z-]+(?='`)/g) ?? []
    expect([...new Set(named)].toSorted()).toEqual(outcomes.toSorted())
  })
})

test('docs/errors.md has all outcomes', () => {
  const outcomes: Record<Outcome, true> = { 'not-accepted': true, unknown: true, accepted: true }
  const shown = tableAfter(page, '| `outcome` |').map(([outcome]) => outcome.replace(/[`']/g, ''))
  expect(shown).toEqual(Object.keys(outcomes))
})

test('docs/errors.md says after which code to do what', () => {
  const rows = tableAfter(page, '| | codes |').map(([what, cell]) => [what, codesIn(cell)] as const)
  const named = Object.fromEntries(
    rows.map(([what, list]) => [what, list.filter((one) => codes.includes(one)).toSorted()]),
  )
  const passes = codesWhere((one) => one.passes === 'in-call')
  const again = codesWhere((one) => one.next === 'again')
  expect(named).toEqual({
    'the client retries them by itself': passes.toSorted(),
    'call again later with the same id': again.filter((code) => !passes.includes(code)).toSorted(),
    'fix something first': codesWhere((one) => one.next === 'mend').toSorted(),
    'no failure of the payment': codesWhere((one) => one.next === 'wait').toSorted(),
  })
})

test('docs/errors.md says after which codes a wait goes on', () => {
  const [sentence = ''] = page.match(/^`waitFor` and `watch` keep waiting .*$/m) ?? []
  const named = codesIn(sentence).filter((one) => codes.includes(one))
  expect(named).toEqual(codesWhere((one) => one.passes === 'in-wait'))
})
