import type { Grant } from '../auth/token-issuer.js'
import type { FaultAction } from '../faults/fault.js'
import type { GatewayRequest } from '../wire/request.js'
import type { GatewayResponse, WireResponse } from '../wire/response.js'
import type { RouteName, Target } from '../wire/routes.js'

/** One request that arrived, in `sandbox.requests`. Printing it shows no credential and no body. */
export interface SandboxRequest {
  /** When it arrived: milliseconds since 1970, by the sandbox's clock. */
  readonly at: number
  /** HTTP method. */
  readonly method: string
  /** As sent, with the query. */
  readonly path: string
  /** The endpoint by its name in section 4; undefined when the request reached none. */
  readonly route: RouteName | undefined
  /** Lower-case names; Authorization, X-SIGNATURE and Cookie are masked. */
  readonly headers: Readonly<Record<string, string>>
  /** HTTP status of the response; undefined while there is none, or when a fault kept it from being processed. */
  readonly status: number | undefined
  /** `OK`, or the `code` of the error body. */
  readonly verdict: string | undefined
  /** The kind of the fault that it met. */
  readonly fault: FaultAction['kind'] | undefined
  /** The id in the path of a payin; undefined for other endpoints. */
  readonly idPayin: string | undefined
  /** The id in the path of a payout; undefined for other endpoints. */
  readonly idPayout: string | undefined
  /** The body as UTF-8, whole. Not printed: token requests may carry the merchant secret. */
  readonly bodyText: string
  /** The bytes of the body. Not printed. */
  readonly bodyBytes: Uint8Array
}

/** What of a response arrives that a fault has kept from leaving whole. */
const broken = { drop: 'reset', 'cut-body': 'cut', 'stall-body': 'cut', stall: 'none' } as const

/** `left`: the client had gone before; `none`: nothing, on an open connection. */
export type Arrival = 'whole' | 'left' | 'waiting' | (typeof broken)[keyof typeof broken]

type Answer = Pick<WireResponse, 'headers' | 'body' | 'ending'>

/** Bodies are in private fields, so that no way of printing reaches them. What is undefined at first is written while it happens. */
export class LoggedRequest implements SandboxRequest {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly route: RouteName | undefined
  /** Of the payment in the path. */
  readonly id: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** 1 for the first request that ever arrived, and so on. */
  readonly number: number
  readonly #body: Uint8Array
  status: number | undefined
  verdict: string | undefined
  /** Why it was refused, in the gateway's own words. */
  reason: string | undefined
  fault: FaultAction['kind'] | undefined
  /** Whether a magic value asked for the fault, and nobody armed it. */
  isMagic = false
  grant: Grant | undefined
  /** To the last byte of the response, or to the end of the connection without one; undefined until then. */
  tookMs: number | undefined
  #answer: Answer | undefined
  #isWhole = false

  constructor(
    number: number,
    request: GatewayRequest,
    target: Target,
    at: number,
    headers: Readonly<Record<string, string>>,
  ) {
    this.number = number
    this.at = at
    this.method = request.method
    this.path = request.path
    this.route = target.name
    this.id = target.id ?? undefined
    this.headers = headers
    this.#body = request.body
  }

  get idPayin(): string | undefined {
    return this.route?.includes('{idPayin}') ? this.id : undefined
  }
  get idPayout(): string | undefined {
    return this.route?.includes('{idPayout}') ? this.id : undefined
  }
  get bodyText(): string {
    return Buffer.from(this.#body).toString('utf8')
  }
  get bodyBytes(): Uint8Array {
    return this.#body
  }

  get isMint(): boolean {
    return this.route === 'POST /auth-tokens' || this.route === 'POST /auth-tokens-by-action'
  }
  get paymentKey(): string | undefined {
    if (this.idPayin !== undefined) return `payin ${this.idPayin}`
    return this.idPayout === undefined ? undefined : `payout ${this.idPayout}`
  }

  get sentAnswer(): Answer | undefined {
    return this.arrival === 'whole' || this.arrival === 'cut' ? this.#answer : undefined
  }
  get arrival(): Arrival {
    const { ending = 'whole' } = this.#answer ?? {}
    if (ending !== 'whole') return broken[ending]
    if (this.tookMs === undefined) return 'waiting'
    return this.#isWhole ? 'whole' : 'left'
  }

  answered({ headers, body, ending }: WireResponse): void {
    this.#answer = { headers, body, ending }
  }

  ended(tookMs: number, isWhole: boolean): void {
    this.tookMs = tookMs
    this.#isWhole = isWhole
  }

  toJSON(): Record<string, unknown> {
    const { at, method, path, route, headers, status, verdict, fault, idPayin, idPayout } = this
    return { at, method, path, route, headers, status, verdict, fault, idPayin, idPayout }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): unknown {
    return this.toJSON()
  }
}

/** One request and its result, as {@link SandboxOptions.onExchange} gets it. */
export interface SandboxExchange {
  /** The request as the log holds it, with its status, its verdict and the fault that it met. */
  readonly request: SandboxRequest
  /** HTTP status of the response; undefined where a fault keeps it, or a part of it, from arriving. */
  readonly status: number | undefined
  /** The result, in a few words: why it was refused, or that no response arrives. */
  readonly meaning: string
  /** From its arrival until its response was ready: milliseconds of real time. */
  readonly tookMs: number
}

const withoutAnswer = {
  drop: 'the connection is reset in place of a response',
  'cut-body': 'the response breaks off in its body',
  'stall-body': 'the response stops in its body',
  stall: 'never answered',
} as const

/** What a response says, in a few words. Nothing of the request is in it. */
export function meaningOf({ status, verdict, refusal, ending = 'whole' }: GatewayResponse): string {
  if (ending !== 'whole') {
    return verdict === 'OK' ? `done, and ${withoutAnswer[ending]}` : withoutAnswer[ending]
  }
  if (refusal !== undefined) return refusal.message
  if (verdict === 'FAULT') return 'made up by a fault'
  if (status >= 400) return 'refused'
  return 'done'
}
