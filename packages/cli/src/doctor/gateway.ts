import { type AnyGatewayError, type ClientOptions, GatewayClient, isGatewayError } from 'merchant-gateway'
import pThrottle from 'p-throttle'
import { Agent, EnvHttpProxyAgent } from 'undici'
import { impatient } from '../gateway-call.js'
import { jsonOf } from '../input/values.js'
import type { Environment } from '../io.js'

/** In place of all settings, for a client that is asked for what needs no gateway. */
export const standIns = {
  baseUrl: 'https://gateway.invalid',
  merchantCode: 'none',
  signer: { sign: async () => new Uint8Array(256) },
} as const

type Fetch = typeof globalThis.fetch

/** Eight a second: below ten by any way of counting, an evenly spaced one included. */
const gapMs = 125

/** All the doctor's requests to the gateway: below its rate limit, and counted where they are answered. */
export class Gateway {
  readonly url: URL
  readonly counts = { answered: 0, refused: 0 }
  /** How long the last response took. */
  tookMs = 0
  /** The JSON of the last response to a client. */
  last: unknown
  readonly #env: Environment
  readonly #fetch: Fetch
  readonly #turn = pThrottle({ limit: 1, interval: gapMs, strict: true })(() => {})

  /** @param fetch in place of the doctor's own, which takes a proxy where the client does. */
  constructor(url: URL, env: Environment, fetch = fetchOf(env)) {
    this.url = url
    this.#env = env
    this.#fetch = fetch
  }

  client(options: Partial<ClientOptions>, env = this.#env): GatewayClient {
    const fetch: Fetch = async (input, init) => {
      const response = await this.#paced(input, init)
      this.last = jsonOf(await response.clone().text())
      return response
    }
    return GatewayClient.fromEnv(
      { fetch, rateLimit: false, retries: 1, ...options },
      { ...impatient, ...env },
    )
  }

  /**
   * Asks without a token, which the gateway refuses, and so answers.
   *
   * @returns the response, or the client's own words on why there is none.
   */
  async knock(send: Fetch = this.#paced): Promise<Response | string> {
    let response: Response | undefined
    const fetch: Fetch = async (input, init) => {
      if (String(input).endsWith('/auth-tokens')) return Response.json({ token: 'that-is-never-sent' })
      const headers = new Headers(init?.headers)
      headers.delete('authorization')
      response = await send(input, { ...init, headers })
      await response.body?.cancel()
      // Whatever it was, the client has nothing more to do.
      return new Response(null, { status: 404 })
    }
    const { GATEWAY_TIMEOUT_MS = impatient.GATEWAY_TIMEOUT_MS } = this.#env
    const client = this.client(
      { ...standIns, baseUrl: this.url, allowInsecureHttp: true, retries: 0, fetch },
      { GATEWAY_TIMEOUT_MS },
    )
    const { said } = await resultOf(client.merchantInfo.retrieve())
    return response ?? said
  }

  /** Sends two at once. @returns whether exactly one was refused (429); undefined when one got no response. */
  async refusesTwoAtOnce(): Promise<boolean | undefined> {
    // A turn for each, so that with those before they make no more than ten in a second.
    await Promise.all([this.#turn(), this.#turn()])
    const replies = await Promise.all([this.knock(this.#counted), this.knock(this.#counted)])
    const statuses = replies.map((reply) => (typeof reply === 'string' ? undefined : reply.status))
    // The finding on the connection says why.
    if (statuses.includes(undefined)) return undefined
    return statuses.filter((status) => status === 429).length === 1
  }

  readonly #paced: Fetch = async (input, init) => {
    await this.#turn()
    return this.#counted(input, init)
  }

  readonly #counted: Fetch = async (input, init) => {
    const start = performance.now()
    const response = await this.#fetch(input, init)
    this.tookMs = performance.now() - start
    this.counts.answered++
    if (response.status === 429) this.counts.refused++
    return response
  }
}

/** Through a proxy of the environment only where Node itself is told to: it could read tokens. */
function fetchOf({ NODE_USE_ENV_PROXY }: Environment): Fetch {
  const dispatcher = NODE_USE_ENV_PROXY === '1' ? new EnvHttpProxyAgent() : new Agent()
  return (input, init) => fetch(input, Object.assign<RequestInit, object>({ ...init }, { dispatcher }))
}

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
    const reason = 'gatewayMessage' in error ? error.gatewayMessage : undefined
    return { code, said: reason === undefined ? String(error.status) : `${error.status}, "${reason}"` }
  }
}
