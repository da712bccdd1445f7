import type { TokenFacts } from '../auth/token-issuer.js'
import type { FaultAction } from '../faults/fault.js'
import { BoundedLog } from '../memory/bounded-log.js'
import { type GatewayRequest, header } from '../wire/request.js'
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
  /** HTTP status of the answer; undefined while there is none, or when a fault kept it from being processed. */
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

/** What becomes of a request, written while it happens. */
export type Outcome = {
  status: number | undefined
  verdict: string | undefined
  fault: FaultAction['kind'] | undefined
  grant: TokenFacts | undefined
}

const masked = new Set(['authorization', 'x-signature', 'cookie', 'proxy-authorization'])
const MAX_LOG_BYTES = 32 * 1024 * 1024

/** The newest requests: bounded in number and in bytes. */
export class RequestLog {
  readonly #log: BoundedLog<LoggedRequest>
  readonly #onChange: () => void

  constructor(maxEntries: number, onChange: () => void) {
    this.#onChange = onChange
    this.#log = new BoundedLog(maxEntries, MAX_LOG_BYTES)
  }

  /** Logs an arrival. The engine writes what becomes of it into the object that is returned. */
  add(request: GatewayRequest, target: Target, at: number): Outcome {
    const outcome: Outcome = { status: undefined, verdict: undefined, fault: undefined, grant: undefined }
    const { headers, bytes } = maskHeaders(request)
    const entry = new LoggedRequest(request, target, at, headers, outcome)
    this.#log.add(entry, bytes + request.path.length + request.body.length)
    this.#onChange()
    return outcome
  }

  toArray(): LoggedRequest[] {
    return this.#log.toArray()
  }

  clear(): void {
    this.#log.clear()
  }
}

/** Getters and private fields, so that no way of printing reaches the body. */
export class LoggedRequest implements SandboxRequest {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly route: RouteName | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly #id: string | undefined
  readonly #body: Uint8Array
  readonly #outcome: Outcome

  constructor(
    request: GatewayRequest,
    target: Target,
    at: number,
    headers: Readonly<Record<string, string>>,
    outcome: Outcome,
  ) {
    this.at = at
    this.method = request.method
    this.path = request.path
    this.route = target.name
    this.headers = headers
    this.#id = target.id ?? undefined
    this.#body = request.body
    this.#outcome = outcome
  }

  get status(): number | undefined {
    return this.#outcome.status
  }
  get verdict(): string | undefined {
    return this.#outcome.verdict
  }
  get fault(): FaultAction['kind'] | undefined {
    return this.#outcome.fault
  }
  /** What the sandbox knows of its token; for the page. */
  get grant(): TokenFacts | undefined {
    return this.#outcome.grant
  }
  get idPayin(): string | undefined {
    return this.route?.includes('{idPayin}') ? this.#id : undefined
  }
  get idPayout(): string | undefined {
    return this.route?.includes('{idPayout}') ? this.#id : undefined
  }
  get bodyText(): string {
    return Buffer.from(this.#body).toString('utf8')
  }
  get bodyBytes(): Uint8Array {
    return this.#body
  }

  toJSON(): Record<string, unknown> {
    const { at, method, path, route, headers, status, verdict, fault, idPayin, idPayout } = this
    return { at, method, path, route, headers, status, verdict, fault, idPayin, idPayout }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): unknown {
    return this.toJSON()
  }
}

function maskHeaders(request: GatewayRequest): { headers: Record<string, string>; bytes: number } {
  const headers: Record<string, string> = {}
  let bytes = 200
  for (const name of Object.keys(request.headers)) {
    const value = header(request.headers, name)
    if (value === undefined) continue
    headers[name] = masked.has(name) ? '[redacted]' : value
    bytes += name.length + value.length
  }
  return { headers, bytes }
}
