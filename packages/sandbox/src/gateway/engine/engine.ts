import { bearerToken, type TokenIssuer } from '../auth/token-issuer.js'
import type { Clock } from '../clock/clock.js'
import type { Random } from '../clock/random.js'
import { applyFault, type FaultTools, retryAfter, tooManyRequests } from '../faults/apply-fault.js'
import type { CallbackFaults, Faults } from '../faults/armed-faults.js'
import type { SandboxSettings } from '../normalise-options.js'
import { type GatewayRequest, header } from '../wire/request.js'
import { formatted, type GatewayResponse, Refusal, refused, type WireResponse } from '../wire/response.js'
import { createRouter, type RouteName, type Target } from '../wire/routes.js'
import type { Endpoints, MagicFault } from './endpoints.js'
import type { Ledger } from './ledger.js'
import type { Limiter } from './limiter.js'
import { type LoggedRequest, meaningOf } from './logged-request.js'
import type { RequestLog } from './request-log.js'

interface EngineParts {
  readonly ledger: Ledger
  readonly callbackFaults: CallbackFaults
  readonly clock: Clock
  readonly faults: Faults
  readonly endpoints: Endpoints
  readonly limiter: Limiter
  readonly log: RequestLog
  readonly random: Random
  readonly tokens: TokenIssuer
}

export interface Exchange {
  readonly number: number
  /** Never rejects: an exception becomes a response with the status 500. */
  readonly reply: Promise<WireResponse>
  /** To be called by the transport when the last byte has left, or the connection has ended before. */
  end(isWhole: boolean): void
}

/** Takes a request through log, faults, rate limit, checks and endpoint. The same for every transport. */
export class Engine {
  readonly #settings: SandboxSettings
  readonly #parts: EngineParts
  readonly #router: (method: string, path: string) => Target

  constructor(settings: SandboxSettings, parts: EngineParts) {
    this.#settings = settings
    this.#parts = parts
    this.#router = createRouter(settings.basePath, settings.customerAccountPath)
  }

  handle(request: GatewayRequest): Exchange {
    const { clock, log } = this.#parts
    const target = this.#router(request.method, request.path)
    const beganAt = performance.now()
    const { logged, end } = log.add(request, target, clock.now())
    const reply = this.#answer(request, target, logged).then((response) => {
      this.#tell(logged, response, performance.now() - beganAt)
      const written = this.#write(response)
      logged.answered(written)
      return written
    })
    return { number: logged.number, reply, end }
  }

  async #answer(request: GatewayRequest, target: Target, logged: LoggedRequest): Promise<GatewayResponse> {
    const { endpoints, faults } = this.#parts
    const fault = faults.take(target, request)
    const process = async () => {
      const response = record(logged, await this.#process(request, target, logged))
      logged.grant = endpoints.grantOf(request, response)
      return response
    }
    if (fault === undefined) return process()
    const { action, until } = fault
    logged.fault = action.kind
    const tools = { ...this.#faultTools(request, target), ...(until && { until }) }
    return record(logged, await applyFault(action, process, tools).catch(defect))
  }

  /**
   * The order of the checks. The rate first, because a request above it is not processed (section 8); the
   * version before the path, because it decides which paths there are (section 9); the token before the
   * body, so that a caller without one learns nothing about payments.
   */
  async #process(request: GatewayRequest, target: Target, logged: LoggedRequest): Promise<GatewayResponse> {
    const waitMs = this.#parts.limiter.admit(this.#parts.clock.monotonic())
    if (waitMs > 0) return this.#overLimit(waitMs)
    try {
      const { name } = target
      if (header(request.headers, 'x-api-version') !== '2') {
        return refused(
          404,
          'VERSION_UNSUPPORTED',
          'X-API-Version is missing or not 2, the only supported version.',
        )
      }
      if (name === undefined) return unknownRoute(target)
      requireAccept(header(request.headers, 'accept'))
      if (request.oversized === true) return refused(413, 'BODY_TOO_LARGE', 'The body is too large.')
      if (name === 'POST /auth-tokens' || name === 'POST /auth-tokens-by-action') {
        return await this.#parts.endpoints.mint(name, request)
      }
      const served = await this.#serve(name, request, target)
      if (!('fault' in served)) return served
      logged.fault = served.fault.kind
      logged.isMagic = true
      const serveAgain = async () => {
        const response = await this.#serve(name, request, target).catch(responseTo)
        return record(logged, 'fault' in response ? defect('a second magic fault') : response)
      }
      return await applyFault(served.fault, serveAgain, this.#faultTools(request, target))
    } catch (error) {
      return responseTo(error)
    }
  }

  async #serve(
    name: RouteName,
    request: GatewayRequest,
    target: Target,
  ): Promise<GatewayResponse | MagicFault> {
    const { endpoints } = this.#parts
    return endpoints.serve(name, request, target, endpoints.authorise(request, target))
  }

  #overLimit(waitMs: number): GatewayResponse {
    const form = this.#settings.retryAfter
    return tooManyRequests(form === false ? {} : retryAfter(waitMs / 1000, form, this.#parts.clock.now()))
  }

  #faultTools(request: GatewayRequest, target: Target): FaultTools {
    const { ledger, clock, random, tokens, callbackFaults } = this.#parts
    return {
      clock,
      random,
      ageMs: () => {
        const payment = ledger.paymentOf(target)
        return payment === undefined ? undefined : clock.monotonic() - payment.acceptedAtMs
      },
      deliverCallbackFirst: () => {
        const payment = ledger.paymentOf(target)
        if (payment !== undefined) ledger.becomePendingNow(payment)
        return callbackFaults.idle()
      },
      revokeToken: () => {
        const token = bearerToken(header(request.headers, 'authorization'))
        // A token that this sandbox did not mint can't be revoked; the request is answered 401 all the same.
        if (token !== undefined && tokens.find(token) !== undefined) tokens.revoke(token)
      },
    }
  }

  #tell(request: LoggedRequest, response: GatewayResponse, tookMs: number): void {
    const { ending = 'whole', status } = response
    try {
      this.#settings.onExchange?.({
        request,
        status: ending === 'whole' ? status : undefined,
        meaning: meaningOf(response),
        tookMs,
      })
    } catch {
      // Whoever watches changes nothing of what the gateway answers.
    }
  }

  #write(response: GatewayResponse): WireResponse {
    const { status, ending = 'whole' } = response
    const { errorFormat, strictness } = this.#settings
    const { body, headers: own } = formatted(response, errorFormat)
    const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
    const type = text === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }
    const more =
      strictness === 'generous'
        ? { 'cache-control': 'no-store', date: new Date(this.#parts.clock.now()).toUTCString() }
        : {}
    return { status, headers: { ...type, ...more, ...own }, body: text, ending }
  }
}

function unknownRoute({ allowed }: Target): GatewayResponse {
  if (allowed.length === 0) return refused(404, 'NOT_FOUND', 'There is no such endpoint.')
  const allow = allowed.join(', ')
  return refused(405, 'METHOD_NOT_ALLOWED', `This endpoint takes ${allow}.`, { allow })
}

/** Section 4: all endpoints need `Accept: application/json`. The status 406 is an assumption. */
function requireAccept(accept: string | undefined): void {
  const types = (accept ?? '').split(',').map((type) => type.split(';')[0]?.trim().toLowerCase())
  if (types.includes('application/json')) return
  throw new Refusal(406, 'NOT_ACCEPTABLE', 'The header Accept: application/json is missing.')
}

/** Writes into the log what the client sees. A made-up response keeps the verdict of what was processed before. */
function record(logged: LoggedRequest, response: GatewayResponse): GatewayResponse {
  const isOfFault = response.verdict === 'FAULT'
  if (!isOfFault) {
    logged.verdict = response.verdict
    logged.reason = response.refusal?.message
  }
  const arrives = response.ending === undefined || response.ending === 'whole'
  if (!isOfFault || arrives) logged.status = response.status
  return response
}

function responseTo(error: unknown): GatewayResponse {
  if (error instanceof Refusal) return refused(error.status, error.code, error.message, error.headers)
  return defect(error)
}

/** A defect of the sandbox, or of a function that a test has given to it. */
function defect(error: unknown): GatewayResponse {
  const message = `Something failed inside the sandbox: ${String(error)}`
  // Without `refusal` the body goes out in every error format: whoever wrote the test has to see it.
  return { ...refused(500, 'SANDBOX_DEFECT', message), refusal: undefined }
}
