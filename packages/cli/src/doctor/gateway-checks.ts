import { randomUUID } from 'node:crypto'
import {
  type AnyGatewayError,
  type ClientOptions,
  GatewayClient,
  isGatewayError,
  operation,
} from 'merchant-gateway'
import type { Environment } from '../io.js'
import { type LimitTry, type TokenLimits, tryTokenLimits } from '../token-limits.js'
import { claimsOf, tokenPlaces } from './find-token.js'
import type { PacedFetch } from './paced-fetch.js'
import { payoutRequest } from './payment-requests.js'
import { type Recorder, recording } from './recording.js'

const timeoutMs = 10_000

/** How one request went. `said` is the gateway's own message, as far as the client shows it. */
export interface CheckResult {
  readonly code: AnyGatewayError['code'] | 'none'
  readonly said: string
}

/** @returns how it went, and what came of it. */
export async function resultOf<T>(ask: Promise<T>): Promise<CheckResult & { readonly value?: T }> {
  try {
    return { code: 'none', said: '', value: await ask }
  } catch (error) {
    if (!isGatewayError(error)) throw error
    const { code, message } = error
    if (!('status' in error) || error.status === undefined) return { code, said: message }
    const { status } = error
    const gatewayMessage = 'gatewayMessage' in error ? error.gatewayMessage : undefined
    return { code, said: gatewayMessage === undefined ? String(status) : `${status}, "${gatewayMessage}"` }
  }
}

export type TimestampUnit = 'seconds' | 'milliseconds'

/** One way to write the time into a token request. */
export interface TimeStyle {
  readonly unit: TimestampUnit
  /** Whether the gateway's clock was used in place of this machine's. */
  readonly byGatewaysClock: boolean
  /** How long the token is asked to be valid; the client's default where it is absent. */
  readonly validitySecs?: number
  /** Where the token stands in the response; absent where the client finds it by itself. */
  readonly tokenField?: string
}

export interface SignatureTry extends TimeStyle {
  readonly answered: CheckResult
}

export interface TokenFacts {
  readonly lifetimeMs: number
  /** What was asked for; the client's default where it is absent. */
  readonly validitySecs?: number
  /** Names of the claims; absent where the token is no JWT. */
  readonly claims?: readonly string[]
}

export const askedSecs = 900

export class GatewayChecks {
  readonly client: GatewayClient
  /** What the client was answered last. */
  readonly recorder: Recorder
  readonly #validitySecs: number

  constructor(
    env: Environment,
    { fetch }: PacedFetch,
    { unit, byGatewaysClock, validitySecs = askedSecs, tokenField }: TimeStyle,
    aheadMs: number,
  ) {
    this.#validitySecs = validitySecs
    // A client that sees the gateway's time signs by it, and nobody would know which way was accepted.
    this.recorder = recording(async (input, init) => withoutDate(await fetch(input, init)))
    const options: Partial<ClientOptions> = {
      fetch: this.recorder.fetch,
      // `fetch` limits the rate, for all clients of the doctor together.
      rateLimit: false,
      retries: 1,
      timeoutMs,
      deadlineMs: 2 * timeoutMs,
      timestampUnit: unit,
      tokenValiditySecs: validitySecs,
      tokenField,
      ...(byGatewaysClock ? { now: () => Date.now() - aheadMs } : {}),
    }
    this.client = GatewayClient.fromEnv(options, env)
  }

  async token(): Promise<{ readonly answered: CheckResult; readonly facts?: TokenFacts }> {
    const { value, ...answered } = await resultOf(
      this.client.authTokens.create({ operations: ['GET /merchant-info'] }),
    )
    if (value === undefined) return { answered }
    const { token, lifetimeMs } = value
    const claims = claimsOf(token.reveal())
    const named = claims === undefined ? {} : { claims: Object.keys(claims) }
    return { answered, facts: { lifetimeMs, validitySecs: this.#validitySecs, ...named } }
  }

  /** Where the token may stand in the response that was the last. */
  tokenPlaces(): readonly string[] {
    return tokenPlaces(this.recorder.last)
  }

  /** Whether the gateway keeps a token for one payout to its id and its money. */
  tokenLimits(money: LimitTry['money'], { ask }: PacedFetch, url: URL): Promise<TokenLimits> {
    const id = `doctor-${randomUUID()}`
    return tryTokenLimits({
      id,
      money,
      body: payoutRequest(money),
      ask: (question) => ask(url, question),
      mint: async (limit) => {
        const operations = [operation('POST', '/payouts/{idPayout}', { idPayout: id })]
        const { said, value } = await resultOf(this.client.authTokens.create({ operations, money: limit }))
        return value?.token.reveal() ?? { why: said }
      },
    })
  }

  /** The read-only operations of a family: payments of random ids are looked up, and none is created. */
  async family(name: 'payins' | 'payouts' | 'account'): Promise<readonly (readonly [string, CheckResult])[]> {
    const { payins, payouts, merchantInfo, balances, currencies, paymentOperators } = this.client
    const id = `doctor-${randomUUID()}`
    const operations = {
      payins: [
        ['GET /payins/{idPayin}', () => payins.retrieve(id)],
        [
          'POST /payins/!availablePaymentOptions',
          () => payins.paymentOptions({ amount: 10, currencyCode: 'EUR' }),
        ],
      ],
      payouts: [['GET /payouts/{idPayout}', () => payouts.retrieve(id)]],
      account: [
        ['GET /merchant-info', () => merchantInfo.retrieve()],
        ['GET /balances', () => balances.list()],
        ['GET /currencies', () => currencies.list()],
        ['GET /payment-operators', () => paymentOperators.list()],
      ],
    } as const
    const results: [string, CheckResult][] = []
    for (const [operation, ask] of operations[name]) results.push([operation, await resultOf(ask())])
    return results
  }
}

function withoutDate({ body, status, statusText, headers }: Response): Response {
  const others = new Headers(headers)
  others.delete('date')
  return new Response(body, { status, statusText, headers: others })
}
