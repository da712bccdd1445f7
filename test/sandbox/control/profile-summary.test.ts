import { expect, test } from 'vitest'
import { profileSummary } from '../../../sandbox/src/desk/control/controls/profile-summary.js'
import { fullProfile } from '../../profile/sample.js'
import { pageOf } from './page.js'

test('a profile is told in words, matter by matter', () => {
  const summary = profileSummary(fullProfile)
  const facts = new Map(summary.map(({ name, facts }) => [name, new Map(facts)]))
  expect([...facts.keys()]).toEqual([
    'Tokens',
    'Payins',
    'Payouts',
    'Answers',
    'Refusals',
    'Rate',
    'Callbacks',
    'Customer account data',
    'Not seen, and so as without a profile',
  ])
  expect(Object.fromEntries(facts.get('Tokens') ?? [])).toEqual({
    'stands in': 'data.bearer',
    claims: 'exp, sub',
    'says when it ends': 'yes',
    'valid for at most': '300 s',
    'timestamp in': 'milliseconds',
    'the same request twice': 'refused',
    'ids in operations': 'decoded',
  })
  expect(Object.fromEntries(facts.get('Payins') ?? [])).toEqual({
    'status at': 'status',
    'time of processing at': 'doneAt',
    'passing statuses': 'OPEN',
    'final statuses': 'PAID',
    'statuses, final or not': 'ON HOLD',
  })
  expect(facts.get('Answers')?.get('POST /payins/{idPayin}')).toBe(
    '200 application/json { extra?[], *, deep.list[] }',
  )
  expect(facts.get('Refusals')?.get('id-repeated')).toBe('422 application/problem+json { errors[].code }')
  expect(facts.get('Callbacks')?.get('seconds between tries')).toBe('1, 2')
})

test('what a profile does not know is not told', () => {
  expect(profileSummary({ profileVersion: 1 })).toEqual([])
  expect(profileSummary({ profileVersion: 1, tokens: { format: 'text' } })).toEqual([
    { name: 'Tokens', facts: [['stands in', 'the whole answer, a text']] },
  ])
})

test('a body of many fields is told by the first of them', () => {
  const body = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, 'string']))
  const [answers] = profileSummary({
    profileVersion: 1,
    answers: { 'GET /currencies': { status: 200, body } },
  })
  expect(answers?.facts[0]?.[1]).toMatch(/field11, 18 more \}$/)
})

test('the page is told of the profile as options have it, and of none where none is played', async () => {
  await using plain = await pageOf()
  expect(await plain.ask('GET', 'info')).toMatchObject({ json: { profile: null } })
  await using played = await pageOf({ profile: fullProfile, tokenField: 'jwt' })
  const { json } = await played.ask('GET', 'info')
  expect(json).toMatchObject({
    profile: expect.arrayContaining([
      { name: 'Tokens', facts: expect.arrayContaining([['stands in', 'jwt']]) },
    ]),
  })
})
