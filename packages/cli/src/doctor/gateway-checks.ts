import { randomUUID } from 'node:crypto'
import { type AnyGatewayError, GatewayClient, isGatewayError } from 'merchant-gateway'
import { jsonOf } from '../input/values.js'
import type { Environment } from '../io.js'
import { type PacedFetch, timeoutMs } from './network.js'

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
}

export const askedSecs = 900

export class GatewayChecks {
  readonly client: GatewayClient
  readonly #validitySecs: number
  #last: unknown

  constructor(
    env: Environment,
    { fetch }: PacedFetch,
    { unit, byGatewaysClock, validitySecs = askedSecs, tokenField }: TimeStyle,
    aheadMs: number,
  ) {
    this.#validitySecs = validitySecs
    this.client = GatewayClient.fromEnv(
      {
        fetch: async (input, init) => this.#kept(await fetch(input, init)),
        // `fetch` limits the rate, for all clients of the doctor together.
        rateLimit: false,
        retries: 1,
        timeoutMs,
        deadlineMs: 2 * timeoutMs,
        timestampUnit: unit,
        tokenValiditySecs: validitySecs,
        tokenField,
        ...(byGatewaysClock ? { now: () => Date.now() - aheadMs } : {}),
      },
      env,
    )
  }

  /** The JSON of the last response. */
  get last(): unknown {
    return this.#last
  }

  /** Without its date: a client that sees the gateway's time signs by it, and nobody would know which way was accepted. */
  async #kept(response: Response): Promise<Response> {
    const { status, statusText } = response
    const headers = new Headers(response.headers)
    headers.delete('date')
    const text = await response.text()
    this.#last = jsonOf(text)
    return new Response(text === '' ? null : text, { status, statusText, headers })
  }

  async token(): Promise<{ readonly answered: CheckResult; readonly facts?: TokenFacts }> {
    const { value, ...answered } = await resultOf(
      this.client.authTokens.create({ operations: ['GET /merchant-info'] }),
    )
    if (value === undefined) return { answered }
    return { answered, facts: { lifetimeMs: value.lifetimeMs, validitySecs: this.#validitySecs } }
  }

  /** The read-only operations of a family: payments of random ids are looked up, and none is created. */
  async family(name: 'payins' | 'payouts' | 'account'): Promise<readonly (readonly [string, CheckResult])[]> {
    const { payins, payouts, merchantInfo, balances, currencies, paymentOperators } = this.client
    const id = `doctor-${randomUUID()}`
    const money = { amount: 10, currencyCode: 'EUR' }
    const operations = {
      payins: [
        ['GET /payins/{idPayin}', () => payins.retrieve(id)],
        ['POST /payins/!availablePaymentOptions', () => payins.paymentOptions(money)],
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
