import type {
  AnswerProfile,
  CallbackProfile,
  GatewayProfile,
  PaymentProfile,
  RateProfile,
  TokenProfile,
} from '../../../../../src/client/profile/gateway-profile.js'
import type { Shape } from '../../../../../src/client/profile/shape.js'
import { fieldsOf, isList } from '../../../../../src/profile/shapes/merge-shapes.js'
import type { ProfileSection } from '../messages/payments.js'

type Fact = readonly [name: string, value: string | undefined]

/** What a sandbox plays by a profile, in words. Parts that the profile doesn't know are left out. */
export function profileSummary(profile: GatewayProfile): ProfileSection[] {
  const { tokens, payins, payouts, answers, refusals, rate, callbacks, customerAccountPath, notSeen } =
    profile
  return [
    section('Tokens', tokens && tokenFacts(tokens)),
    section('Payins', payins && paymentFacts(payins)),
    section('Payouts', payouts && paymentFacts(payouts)),
    section('Answers', answerFacts(answers)),
    section('Refusals', answerFacts(refusals)),
    section('Rate', rate && rateFacts(rate)),
    section('Callbacks', callbacks && callbackFacts(callbacks)),
    section('Customer account data', [['path', customerAccountPath]]),
    section('Not seen, and so as without a profile', Object.entries(notSeen ?? {})),
  ].filter(({ facts }) => facts.length > 0)
}

function section(name: string, facts: readonly Fact[] = []): ProfileSection {
  return {
    name,
    facts: facts.flatMap(([about, value]) => (value === undefined ? [] : [[about, value] as const])),
  }
}

function tokenFacts(tokens: TokenProfile): Fact[] {
  const { format, field, claims, statesItsEnd, longestValiditySecs, timestampUnit } = tokens
  const { repeatedRequest, idsInOperations } = tokens
  return [
    ['stands in', format === 'json' || format === undefined ? field : wholeAnswer[format]],
    ['claims', claims?.join(', ')],
    ['says when it ends', statesItsEnd === undefined ? undefined : statesItsEnd ? 'yes' : 'no'],
    ['valid for at most', longestValiditySecs === undefined ? undefined : `${longestValiditySecs} s`],
    ['timestamp in', timestampUnit],
    ['the same request twice', repeatedRequest],
    ['ids in operations', idsInOperations],
  ]
}

const wholeAnswer = { 'json-string': 'the whole answer, one JSON string', text: 'the whole answer, a text' }

function paymentFacts({ statusField, processedAtField, statuses = {} }: PaymentProfile): Fact[] {
  return [
    ['status at', statusField],
    ['time of processing at', processedAtField],
    ...(['passing', 'final', 'unclear'] as const).map((meaning): Fact => {
      const names = Object.entries(statuses).filter(([, one]) => one === meaning)
      const name = meaning === 'unclear' ? 'statuses, final or not' : `${meaning} statuses`
      return [name, names.map(([status]) => status).join(', ') || undefined]
    }),
  ]
}

function answerFacts(answers: Readonly<Record<string, AnswerProfile | undefined>> = {}): Fact[] {
  return Object.entries(answers).map(([name, answer]) => [
    name,
    answer && [answer.status, answer.contentType, bodyText(answer.body)].filter(Boolean).join(' '),
  ])
}

function rateFacts({ counted, retryAfter }: RateProfile): Fact[] {
  const countedAs = { 'in-windows': 'in windows: ten at once pass', 'evenly-spaced': 'one after another' }
  const comeBack = { seconds: 'in seconds', date: 'as a date', absent: 'not said' }
  return [
    ['counted', counted && countedAs[counted]],
    ['Retry-After of a 429', retryAfter && comeBack[retryAfter]],
  ]
}

function callbackFacts(callbacks: CallbackProfile): Fact[] {
  const { method, headers, contentType, body, tries, secondsBetweenTries } = callbacks
  return [
    ['method', method],
    ['headers', headers?.join(', ')],
    ['content', [contentType, bodyText(body)].filter(Boolean).join(' ')],
    ['tries', tries?.toString()],
    ['seconds between tries', secondsBetweenTries?.join(', ')],
  ]
}

const mostFields = 12

/** The fields of a body by their paths: `{ code, errors[].field? }`. */
function bodyText(shape: Shape | undefined): string {
  if (shape === undefined) return 'without a body'
  if (typeof shape === 'string') return shape
  const all = [...pathsOf(shape, '')]
  const more = all.length - mostFields
  const shown = more > 1 ? [...all.slice(0, mostFields), `${more} more`] : all
  return `{ ${shown.join(', ')} }`
}

function* pathsOf(shape: Shape, path: string): Generator<string> {
  if (typeof shape === 'string') yield path
  else if (isList(shape)) yield* shape[0] === undefined ? [`${path}[]`] : pathsOf(shape[0], `${path}[]`)
  else {
    for (const { name, optional, shape: inner } of fieldsOf(shape).values()) {
      const before = path === '' ? '' : `${path}.`
      yield* pathsOf(inner, `${before}${name}${optional && name !== '*' ? '?' : ''}`)
    }
  }
}
