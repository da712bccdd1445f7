import { isObject } from '../common/json.js'
import type { Case, CaseFault } from './case.js'

const MORE_THAN_PATIENCE_MS = 1500
const SLOW_MS = 1000
/** How long the gateway takes for each response where the application is killed at any moment. */
const BUSY_MS = 40
/** How long a response is held while something else happens; most of it is not used up. */
const MEANWHILE_MS = 2000
/** The callback's last try comes after it. */
const BEFORE_LAST_TRY_MS = 1000
/** Long enough for a second worker to come along. */
const WORKER_MS = 4000
/** Long enough for two requests to meet inside an application, between what it has read and what it writes. */
const TOGETHER_MS = 400

/** The first response is held: what it answers was accepted at once. */
const held = (at: CaseFault['at'], ms: number): CaseFault => ({ at, action: { kind: 'delay', ms } })

const slower = (ms: number): CaseFault => ({ ...held('*', ms), lasts: 'always' })

/** What was lost is lost for the customer, who tries again before any callback comes. */
const lost = (action: CaseFault['action']): Pick<Case, 'fault' | 'withholds'> => {
  return { fault: untilTriedAgain(action), withholds: true }
}

const untilTriedAgain = (action: CaseFault['action']): CaseFault => {
  return { at: 'create', lasts: 'until tried again', action }
}

/** Wherever a response shows the money. */
const otherMoney = (change: (money: Record<string, unknown>) => unknown): CaseFault => {
  const changed = (json: unknown): unknown => {
    if (!isObject(json)) return json
    const entries = Object.entries(json).map(([name, value]) => {
      return [name, name === 'money' && isObject(value) ? change(value) : changed(value)]
    })
    return Object.fromEntries(entries)
  }
  return { at: 'status', lasts: 'always', action: { kind: 'mutate', change: changed } }
}

export const clean: Case = { name: 'clean', title: 'Nothing goes wrong.', cause: 'nothing had gone wrong' }

/** What can go wrong, by name and in the order in which it is played. */
const table: Readonly<Record<string, Omit<Case, 'name'>>> = {
  'double-click': {
    title: 'The customer places the same order twice in the same moment.',
    cause: 'the double click',
    fault: slower(TOGETHER_MS),
    during: 'action at once',
  },
  'two-tabs': {
    title: 'The order is placed again while the gateway answers the first.',
    cause: 'the second tab',
    fault: held('create', SLOW_MS),
    during: 'action on arrival',
  },
  'two-workers': {
    title: 'The create takes four seconds, and another worker may find the order in its outbox.',
    cause: 'the second worker',
    fault: held('create', WORKER_MS),
  },
  'answer-lost': {
    title: 'The gateway accepts and its responses are lost, until the customer tries again.',
    cause: 'the lost response',
    ...lost({ kind: 'drop-after' }),
  },
  'error-after': {
    title: 'The gateway accepts and answers 500, until the customer tries again.',
    cause: 'the 500',
    ...lost({ kind: 'status', status: 500, processed: true }),
  },
  'body-cut': {
    title: 'The gateway accepts and its responses break off, until the customer tries again.',
    cause: 'the cut response',
    ...lost({ kind: 'cut-body' }),
  },
  'proxy-page': {
    title: 'The gateway accepts and a proxy answers 502, until the customer tries again.',
    cause: 'the 502',
    ...lost({ kind: 'html', status: 502, processed: true }),
  },
  silence: {
    title: 'The gateway accepts and says nothing, until the customer tries again.',
    cause: 'the silence',
    ...lost({ kind: 'timeout', processed: true }),
  },
  'answer-late': {
    title: 'The response comes after the customer has tried again.',
    cause: 'the late response',
    fault: { ...held('create', MORE_THAN_PATIENCE_MS), isBeyondPatience: true },
    withholds: true,
  },
  'answer-twice': {
    title: 'The create arrives twice, and is answered 409.',
    cause: 'the 409',
    fault: { at: 'create', action: { kind: 'overtaken' } },
  },
  unavailable: {
    title: 'Nothing is accepted: 503, until the customer tries again.',
    cause: 'the 503',
    fault: untilTriedAgain({ kind: 'status', status: 503, processed: false }),
  },
  refused: {
    title: 'Connections are cut and nothing is accepted, until the customer tries again.',
    cause: 'the cut connection',
    fault: untilTriedAgain({ kind: 'drop-before' }),
  },
  'rate-limited': {
    title: 'Nothing is accepted: 429, once.',
    cause: 'the 429',
    fault: { at: 'create', action: { kind: 'rate-limit' } },
  },
  slow: {
    title: 'Every response takes a second more.',
    cause: 'the slow responses',
    fault: slower(SLOW_MS),
  },
  // The first of those that take turns: its token request names no order.
  'killed-before': {
    title: 'The application is killed before its create is accepted.',
    cause: 'it was killed',
    revokes: true,
    fault: held('*', MEANWHILE_MS),
    during: 'kill on arrival',
  },
  killed: {
    title: 'The application is killed after its request has left.',
    cause: 'it was killed',
    fault: held('create', MEANWHILE_MS),
    during: 'kill on arrival',
  },
  'killed-at-any-moment': {
    title: 'The application is killed at twelve moments, from the first millisecond of the action on.',
    cause: 'it was killed',
    fault: slower(BUSY_MS),
    during: 'kill at any moment',
  },
  'lost-and-restarted': {
    title: 'The responses are lost, the application is restarted, and the order is placed again.',
    cause: 'the restart',
    ...lost({ kind: 'drop-after' }),
    after: 'restart',
  },
  'lost-a-minute-ago': {
    title: 'The responses are lost, and the order is placed again a minute later.',
    cause: 'a minute',
    ...lost({ kind: 'drop-after' }),
    after: 'a minute',
  },
  'callback-first': {
    title: 'The payment is paid and called back before the create is answered.',
    cause: 'the early callback',
    fault: held('create', BEFORE_LAST_TRY_MS),
    during: 'pay before the response',
    isCalledBack: true,
  },
  'callback-first-only': {
    title: 'The payment is paid before the create is answered, and no callback comes after that.',
    cause: 'the early callback',
    fault: held('create', MEANWHILE_MS),
    during: 'pay before the response',
  },
  'callback-never': {
    title: 'No callback ever comes.',
    cause: 'the missing callback',
    callbackFault: { times: Number.POSITIVE_INFINITY, action: { kind: 'missing' } },
  },
  'status-request-fails': {
    title: 'The status requests that show the end of the payment are answered 503 for a moment.',
    cause: 'the failed status request',
    atPayment: 'failed status requests',
  },
  'callback-ten-times': {
    title: 'The last callback comes ten times in the same moment.',
    cause: 'ten callbacks',
    fault: slower(TOGETHER_MS),
    moreCallbacks: 9,
  },
  'callback-and-visit': {
    title: 'The customer comes back, and orders again, beside the last callback and after it.',
    cause: 'the visit beside the callback',
    atPayment: 'visit',
  },
  'returned-unpaid': {
    title: 'The customer comes back by the returnUrl, and has not paid.',
    cause: 'the return',
    returns: true,
  },
  'payment-failed': {
    title: 'The payment fails.',
    cause: 'the failure',
    end: 'FAILED',
  },
  'payment-expired': {
    title: 'The payment expires, because nobody pays.',
    cause: 'the expiry',
    end: 'EXPIRED',
  },
  'paid-too-little': {
    title: 'The gateway shows a payment of 0.01 that has succeeded.',
    cause: 'the small payment',
    fault: otherMoney((money) => ({ ...money, amount: 0.01 })),
    shows: '0.01 paid',
  },
  'paid-in-another-currency': {
    title: 'The gateway shows a payment of the same amount in another currency that has succeeded.',
    cause: 'the other currency',
    fault: otherMoney((money) => ({ ...money, currencyCode: money.currencyCode === 'HUF' ? 'EUR' : 'HUF' })),
    shows: 'another currency paid',
  },
  'unknown-status': {
    title: 'The payment gets a status that nobody has heard of.',
    cause: 'the unknown status',
    end: 'UNDER_REVIEW',
  },
  'paid-after-a-while': {
    title: 'The customer takes half a minute to pay.',
    cause: 'half a minute',
    after: 'a while',
  },
  'paid-late': {
    title: 'Two hours pass in the application, and then the payment is paid.',
    cause: 'two hours',
    after: 'two hours',
  },
  'expiry-passed': {
    title: 'The payment is paid, no callback comes, and in the application its expireAt passes.',
    cause: 'the expiry',
    callbackFault: { times: Number.POSITIVE_INFINITY, action: { kind: 'missing' } },
    isPaidBefore: true,
    after: 'two hours',
  },
  'stale-status': {
    title: 'A status request of before the payment is answered after the one that says SUCCESS.',
    cause: 'the stale response',
    atPayment: 'stale status request',
  },
  'killed-when-paid': {
    title: 'The application is killed at five moments, from inside the last callback to after the delivery.',
    cause: 'it was killed',
    atPayment: 'kill',
  },
  'callbacks-swapped': {
    title: 'The callback for PENDING comes after the one for SUCCESS.',
    cause: 'callbacks in the wrong order',
    callbackFault: { action: { kind: 'swapped' } },
  },
  // The last one: an application that keeps a dead token where a restart does not help fails from then on.
  'token-revoked': {
    title: 'The access token is revoked: 401, once.',
    cause: 'the 401',
    fault: { at: 'create', action: { kind: 'revoke-token' } },
  },
}

export const cases: readonly Case[] = Object.entries(table).map(([name, one]) => ({ name, ...one }))
