import type { CallbackFaultToArm, FaultToArm, Kind, Route } from './gateway.js'

/** What a case does to the gateway or to the application, beside letting a person act. */
export interface FaultPlan {
  readonly fault?: FaultToArm
  readonly callbackFault?: CallbackFaultToArm
  /** Whether the fault goes on until the first act is over, however often the application tries by itself. */
  readonly lasts?: true
  /** How long answers are held: a rehearsal waits that long before it counts. */
  readonly holdMs?: number
  /**
   * What happens while the first act is under way: the application is killed when its request has arrived, the
   * payment succeeds before its create is answered, or nobody listens at the gateway's address.
   */
  readonly meanwhile?: 'kill' | 'pay' | 'refuse'
  /** How often the last callback is sent beside the first. */
  readonly moreCallbacks?: number
}

/** Where a case is armed. */
export interface Target {
  readonly kind: Kind
  /** The endpoint whose answer goes wrong: the create, unless somebody chose another. */
  readonly route: Route
  /** How long a person waits before trying again, in ms. */
  readonly patienceMs: number
}

export interface Case {
  readonly name: string
  /** One sentence. */
  readonly title: string
  /** As in "made a new id after the lost answer". */
  readonly cause: string
  /** What it happens to: any answer of the gateway's, the create only, a callback, or the application. */
  readonly of: 'answer' | 'create' | 'callback' | 'application'
  plan(target: Target): FaultPlan
}

const MORE_THAN_PATIENCE_MS = 1500
const SLOW_MS = 1000

/** How long an answer is held while something else happens; most of it is not used up. */
const MEANWHILE_MS = 2000

/** Nothing goes wrong: what every other case is held against. */
export const clean: Case = {
  name: 'clean',
  title: 'Nothing goes wrong.',
  cause: 'nothing had gone wrong',
  of: 'application',
  plan: () => ({}),
}

/** What can go wrong, in the order in which it is played. */
export const cases: readonly Case[] = [
  {
    name: 'answer-lost',
    title: 'The gateway accepts, and its answers are lost until the customer tries again.',
    cause: 'the lost answer',
    of: 'answer',
    plan: lasting({ kind: 'drop-after' }),
  },
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
    name: 'error-after',
    title: 'The gateway accepts and answers 500, until the customer tries again.',
    cause: 'the 500',
    of: 'answer',
    plan: lasting({ kind: 'status', status: 500, processed: true }),
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
    name: 'token-revoked',
    title: 'The access token is revoked: 401, once.',
    cause: 'the 401',
    of: 'create',
    plan: once({ kind: 'revoke-token' }),
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
  {
    name: 'refused',
    title: 'Nobody listens at the gateway for a moment.',
    cause: 'the refused connection',
    of: 'application',
    plan: () => ({ meanwhile: 'refuse' }),
  },
  {
    name: 'killed',
    title: 'The application is killed after its request has left.',
    cause: 'it was killed',
    of: 'application',
    plan: ({ route }) => ({ ...held(route, MEANWHILE_MS), meanwhile: 'kill' }),
  },
  {
    name: 'callback-first',
    title: 'The payment is paid and called back before the create is answered.',
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
    title: 'The last callback comes ten times.',
    cause: 'ten callbacks',
    of: 'callback',
    plan: () => ({ moreCallbacks: 9 }),
  },
  {
    name: 'callbacks-swapped',
    title: 'The callback for PENDING comes after the one for SUCCESS.',
    cause: 'callbacks in the wrong order',
    of: 'callback',
    plan: ({ kind }) => ({ callbackFault: { kind, action: { kind: 'swapped' } } }),
  },
  {
    name: 'body-cut',
    title: 'The gateway accepts, and its answers break off until the customer tries again.',
    cause: 'the cut answer',
    of: 'answer',
    plan: lasting({ kind: 'cut-body' }),
  },
  {
    name: 'proxy-page',
    title: 'The gateway accepts, and a proxy answers 502 until the customer tries again.',
    cause: 'the 502',
    of: 'answer',
    plan: lasting({ kind: 'html', status: 502, processed: true }),
  },
  {
    name: 'silence',
    title: 'The gateway accepts, and is silent until the customer tries again.',
    cause: 'the silence',
    of: 'answer',
    plan: lasting({ kind: 'timeout', processed: true }),
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

function once(action: FaultToArm['action']): Case['plan'] {
  return ({ route }) => ({ fault: { route, action } })
}

/** For every request of the first act. */
function lasting(action: FaultToArm['action']): Case['plan'] {
  return ({ route }) => ({ fault: { route, times: Number.POSITIVE_INFINITY, action }, lasts: true })
}

/** Accepted at once, and answered later. */
function held(route: Route, ms: number): FaultPlan {
  return { fault: { route, action: { kind: 'delay', ms } }, holdMs: ms }
}
