import type { CallbackFaultOptions, FaultOptions } from '../gateway/faults/fault.js'
import type { Kind, Route } from './gateway.js'
import { type Interleaving, pairs } from './interleavings.js'

/** What a case does to the gateway or to the application, beside letting a person act. */
export interface FaultPlan {
  readonly fault?: FaultOptions
  readonly callbackFault?: CallbackFaultOptions
  /** Whether the fault goes on until the first act is over, however often the application tries by itself. */
  readonly lasts?: true
  /** How long answers are held: a rehearsal waits that long before it counts. */
  readonly holdMs?: number
  /**
   * What happens while the first act is under way: the application is killed when its request has arrived, the
   * payment succeeds before its create is answered, or nobody listens at the gateway's address.
   */
  readonly meanwhile?: 'kill' | 'pay' | 'refuse'
  /** When the application is killed, in ms from the beginning of the act, whatever has arrived. */
  readonly killAfterMs?: number
  /** The same act a second time: in the same moment as the first, or when the first one's request has arrived. */
  readonly secondAct?: 'at once' | 'on arrival'
  /** Whether tokens are revoked before, so that the first request makes no payment. */
  readonly revokes?: true
  /** Whether the application is restarted after the first act, and acted upon again. */
  readonly restarts?: true
  /** Whether it is restarted after the acts with a clock that is so much later, in ms, before anything is paid. */
  readonly laterMs?: number
  /** Two events that cross inside the application, in this order. */
  readonly interleaving?: Interleaving
  /** Whether the customer comes back to the shop by the create's returnUrl, and has not paid. */
  readonly returns?: true
  /** What becomes of the payment: SUCCESS unless told. */
  readonly end?: 'FAILED' | 'EXPIRED'
  /** Whether the gateway shows much less money than was asked for. */
  readonly isShort?: true
  /** How often the last callback is sent in the same moment as the first. */
  readonly moreCallbacks?: number
}

/** Where a case is armed. */
export interface Target {
  readonly kind: Kind
  /** The endpoint whose answer goes wrong: the create, unless somebody chose another. */
  readonly route: Route
  /** How long a person waits before trying again, in ms. */
  readonly patienceMs: number
  /** How long an act takes when nothing goes wrong, in ms. */
  readonly actMs: number
}

export interface Case {
  readonly name: string
  /** One sentence. */
  readonly title: string
  /** As in "made a new id after the lost answer". */
  readonly cause: string
  /** What it happens to: any answer of the gateway's, the create only, a callback, or the application. */
  readonly of: 'answer' | 'create' | 'callback' | 'application'
  /** What nobody can play it without: a start by which the application is killed, or a status to ask for. */
  readonly needs?: readonly ('start' | 'status')[]
  /** When no other cart may be played: until its first acts are over, or all the time. */
  readonly alone?: 'first act' | 'all'
  /** It is played with a cart for each of these; each has a name and a plan. One without rounds. */
  readonly rounds?: readonly string[]
  plan(target: Target, round: number): FaultPlan
}

/** Two hours are more than any shop waits that gives up after one. */
const LATER_MS = 2 * 60 * 60 * 1000

const MOMENTS = 12
/** How long the gateway takes for each answer where the application is killed at any moment. */
const BUSY_MS = 40

const MORE_THAN_PATIENCE_MS = 1500
const SLOW_MS = 1000

/** How long an answer is held while something else happens; most of it is not used up. */
const MEANWHILE_MS = 2000
/** The callback's last try comes after it. */
const BEFORE_LAST_TRY_MS = 1000
/** Long enough for a second worker to come along. */
const WORKER_MS = 4000

/** Long enough for two requests to meet inside an application, between what it has read and what it writes. */
const TOGETHER_MS = 400

/** Nothing goes wrong: what every other case is held against. */
export const clean: Case = {
  name: 'clean',
  title: 'Nothing goes wrong.',
  cause: 'nothing had gone wrong',
  of: 'application',
  plan: () => ({}),
}

/** Ways in which an accepted request stays without its answer: name, what the gateway does, cause, fault. */
const lost: readonly [name: string, what: string, cause: string, action: FaultOptions['action']][] = [
  ['answer-lost', 'its answers are lost', 'the lost answer', { kind: 'drop-after' }],
  ['error-after', 'answers 500', 'the 500', { kind: 'status', status: 500, processed: true }],
  ['body-cut', 'its answers break off', 'the cut answer', { kind: 'cut-body' }],
  ['proxy-page', 'a proxy answers 502', 'the 502', { kind: 'html', status: 502, processed: true }],
  ['silence', 'says nothing', 'the silence', { kind: 'timeout', processed: true }],
]

/** Ways in which nobody pays. */
const ended: readonly [name: string, title: string, cause: string, end: FaultPlan['end'] & string][] = [
  ['payment-failed', 'The payment fails.', 'the failure', 'FAILED'],
  ['payment-expired', 'The payment expires, because nobody pays.', 'the expiry', 'EXPIRED'],
]

/** What can go wrong, in the order in which it is played. */
export const cases: readonly Case[] = [
  {
    name: 'double-click',
    title: 'The customer orders the same cart twice in the same moment.',
    cause: 'the double click',
    of: 'application',
    plan: () => ({ ...together, secondAct: 'at once' }),
  },
  {
    name: 'two-tabs',
    title: 'The cart is ordered again while the gateway answers the first order.',
    cause: 'the second tab',
    of: 'create',
    plan: ({ route }) => ({ ...held(route, SLOW_MS), secondAct: 'on arrival' }),
  },
  {
    name: 'two-workers',
    title: 'The create takes four seconds, and another worker may find the order in its outbox.',
    cause: 'the second worker',
    of: 'create',
    plan: ({ route }) => held(route, WORKER_MS),
  },
  ...lost.map(
    ([name, what, cause, action]): Case => ({
      name,
      title: `The gateway accepts and ${what}, until the customer tries again.`,
      cause,
      of: 'answer',
      plan: lasting(action),
    }),
  ),
  {
    name: 'answer-late',
    title: 'The answer comes after the customer has tried again.',
    cause: 'the late answer',
    of: 'answer',
    plan: ({ route, patienceMs }) => held(route, patienceMs + MORE_THAN_PATIENCE_MS),
  },
  {
    name: 'answer-twice',
    title: 'The create arrives twice, and is answered 409.',
    cause: 'the 409',
    of: 'create',
    plan: once({ kind: 'overtaken' }),
  },
  {
    name: 'unavailable',
    title: 'Nothing is accepted: 503, until the customer tries again.',
    cause: 'the 503',
    of: 'answer',
    plan: lasting({ kind: 'status', status: 503, processed: false }),
  },
  {
    name: 'rate-limited',
    title: 'Nothing is accepted: 429, once.',
    cause: 'the 429',
    of: 'answer',
    plan: once({ kind: 'rate-limit' }),
  },
  {
    name: 'slow',
    title: 'Every answer takes a second more.',
    cause: 'the slow answers',
    of: 'application',
    plan: () => ({
      fault: { route: '*', times: Number.POSITIVE_INFINITY, action: { kind: 'delay', ms: SLOW_MS } },
      holdMs: SLOW_MS,
    }),
  },
  // The first of those that take turns: its token request names no cart.
  {
    name: 'killed-before',
    title: 'The application is killed before its create is accepted.',
    cause: 'it was killed',
    of: 'application',
    needs: ['start'],
    alone: 'first act',
    plan: () => ({ ...held('*', MEANWHILE_MS), meanwhile: 'kill', revokes: true }),
  },
  {
    name: 'refused',
    title: 'Nobody listens at the gateway for a moment.',
    cause: 'the refused connection',
    of: 'application',
    alone: 'first act',
    plan: () => ({ meanwhile: 'refuse' }),
  },
  {
    name: 'killed',
    title: 'The application is killed after its request has left.',
    cause: 'it was killed',
    of: 'application',
    needs: ['start'],
    alone: 'first act',
    plan: ({ route }) => ({ ...held(route, MEANWHILE_MS), meanwhile: 'kill' }),
  },
  {
    name: 'killed-at-any-moment',
    title: 'The application is killed at twelve moments, from the first millisecond of the act on.',
    cause: 'it was killed',
    of: 'application',
    needs: ['start'],
    alone: 'first act',
    rounds: Array.from({ length: MOMENTS }, (_, index) => `moment ${index + 1}`),
    plan: ({ actMs }, round) => ({
      fault: { route: '*', times: Number.POSITIVE_INFINITY, action: { kind: 'delay', ms: BUSY_MS } },
      holdMs: BUSY_MS,
      meanwhile: 'kill',
      killAfterMs: 1 + Math.round((round * (actMs + 2 * BUSY_MS)) / (MOMENTS - 1)),
    }),
  },
  {
    name: 'lost-and-restarted',
    title: 'The answers are lost, the application is restarted, and the cart is ordered again.',
    cause: 'the restart',
    of: 'application',
    needs: ['start'],
    alone: 'first act',
    plan: ({ route }) => ({ ...lasting({ kind: 'drop-after' })({ route }), restarts: true }),
  },
  {
    name: 'callback-first',
    title: 'The payment is paid and called back before the create is answered.',
    cause: 'the early callback',
    of: 'create',
    plan: ({ route }) => ({ ...held(route, BEFORE_LAST_TRY_MS), meanwhile: 'pay' }),
  },
  {
    name: 'callback-first-only',
    title: 'The payment is paid before the create is answered, and no callback comes after that.',
    cause: 'the early callback',
    of: 'create',
    plan: ({ route }) => ({ ...held(route, MEANWHILE_MS), meanwhile: 'pay' }),
  },
  {
    name: 'callback-never',
    title: 'No callback ever comes.',
    cause: 'the missing callback',
    of: 'callback',
    plan: ({ kind }) => ({
      callbackFault: { kind, times: Number.POSITIVE_INFINITY, action: { kind: 'missing' } },
    }),
  },
  {
    name: 'callback-ten-times',
    title: 'The last callback comes ten times in the same moment.',
    cause: 'ten callbacks',
    of: 'callback',
    plan: () => ({ ...together, moreCallbacks: 9 }),
  },
  {
    name: 'returned-unpaid',
    title: 'The customer comes back by the returnUrl, and has not paid.',
    cause: 'the return',
    of: 'application',
    needs: ['status'],
    plan: () => ({ returns: true }),
  },
  ...ended.map(
    ([name, title, cause, end]): Case => ({
      name,
      title,
      cause,
      of: 'application',
      needs: ['status'],
      plan: () => ({ end }),
    }),
  ),
  {
    name: 'paid-too-little',
    title: 'The gateway shows a payment of 0.01 that has succeeded.',
    cause: 'the small payment',
    of: 'application',
    needs: ['status'],
    plan: ({ kind }) => ({
      fault: {
        route: kind === 'payin' ? 'GET /payins/{idPayin}' : 'GET /payouts/{idPayout}',
        times: Number.POSITIVE_INFINITY,
        action: { kind: 'mutate', change: littleMoney },
      },
      isShort: true,
    }),
  },
  {
    name: 'paid-late',
    title: 'Two hours pass in the application, and then the payment is paid.',
    cause: 'two hours',
    of: 'application',
    needs: ['start', 'status'],
    alone: 'all',
    plan: () => ({ laterMs: LATER_MS }),
  },
  ...pairs.map(
    ({ name, title, cause, orders }): Case => ({
      name,
      title,
      cause,
      of: orders[0]?.events[0] === 'callback' ? 'callback' : 'application',
      rounds: orders.map(({ number }) => `interleaving ${number}`),
      plan: (_target, round) => {
        const interleaving = orders[round]
        return interleaving === undefined ? {} : { interleaving }
      },
    }),
  ),
  {
    name: 'callbacks-swapped',
    title: 'The callback for PENDING comes after the one for SUCCESS.',
    cause: 'callbacks in the wrong order',
    of: 'callback',
    plan: ({ kind }) => ({ callbackFault: { kind, action: { kind: 'swapped' } } }),
  },
  // The last one: an application that keeps a dead token where a restart does not help fails from then on.
  {
    name: 'token-revoked',
    title: 'The access token is revoked: 401, once.',
    cause: 'the 401',
    of: 'create',
    alone: 'all',
    plan: once({ kind: 'revoke-token' }),
  },
]

/** The case with that name; undefined when there is none. */
export function caseNamed(name: string): Case | undefined {
  return [clean, ...cases].find((one) => one.name === name)
}

/** The endpoint that creates payments of a kind. */
export function createRoute(kind: Kind): Route {
  return kind === 'payin' ? 'POST /payins/{idPayin}' : 'POST /payouts/{idPayout}'
}

/** Every answer takes a moment, in which the requests meet that came together. */
const together: FaultPlan = {
  fault: { route: '*', times: Number.POSITIVE_INFINITY, action: { kind: 'delay', ms: TOGETHER_MS } },
  holdMs: TOGETHER_MS,
}

/** Wherever an answer shows the money. */
const littleMoney = {
  paymentRequested: { money: { amount: 0.01 } },
  paymentMethodResponse: { money: { amount: 0.01 } },
}

function once(action: FaultOptions['action']): Case['plan'] {
  return ({ route }) => ({ fault: { route, action } })
}

/** For every request of the first act. */
function lasting(action: FaultOptions['action']) {
  return ({ route }: Pick<Target, 'route'>): FaultPlan => ({
    fault: { route, times: Number.POSITIVE_INFINITY, action },
    lasts: true,
  })
}

/** Accepted at once, and answered later. */
function held(route: Route | '*', ms: number): FaultPlan {
  return { fault: { route, action: { kind: 'delay', ms } }, holdMs: ms }
}
