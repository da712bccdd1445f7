import { bearerToken, type TokenIssuer } from '../auth/token-issuer.js'
import type { Clock } from '../clock/clock.js'
import type { Random } from '../clock/random.js'
import { disturb, type FaultTools, retryAfter, tooMany } from '../faults/apply-fault.js'
import type { CallbackFaults } from '../faults/callback-faults.js'
import type { Faults } from '../faults/faults.js'
import { type EngineRequest, header } from '../wire/request.js'
import { type Answer, type EngineReply, type ErrorFormat, Refusal, refused, shown } from '../wire/response.js'
import type { RouteName, Target } from '../wire/routes.js'
import type { Gateway, Magic } from './endpoints.js'
import type { Bank } from './ledger.js'
import type { ArrivalLimiter } from './limiter.js'
import type { Outcome, RequestLog } from './request-log.js'

/** What stands in front of the endpoints. */
export interface EngineParts {
  readonly bank: Bank
  readonly callbackFaults: CallbackFaults
  readonly clock: Clock
  readonly faults: Faults
  readonly gateway: Gateway
  readonly limiter: ArrivalLimiter
  readonly log: RequestLog
  readonly retryAfter: 'seconds' | 'date' | false
  readonly errorFormat: ErrorFormat
  readonly strictness: 'specification' | 'generous'
  /** For what faults draw. */
  readonly random: Random
  readonly tokens: TokenIssuer
  readonly router: (method: string, path: string) => Target
}

/** One gateway for all transports: plain objects in, plain objects out. */
export class Engine {
  readonly #parts: EngineParts
  #dateSecond = Number.NaN
  #date = ''

  constructor(parts: EngineParts) {
    this.#parts = parts
  }

  /** Never rejects: what goes wrong becomes an answer. */
  async handle(request: EngineRequest): Promise<EngineReply> {
    const { clock, faults, log, router } = this.#parts
    const target = router(request.method, request.path)
    const entry = log.add(request, target, clock.now())
    const fault = faults.take(target.name, target.id)
    const process = async () => {
      const answer = note(entry, await this.#process(request, target, entry))
      entry.grant = this.#parts.gateway.factsOf(request, answer)
      return answer
    }
    if (fault === undefined) return this.#reply(await process())
    entry.fault = fault.kind
    return this.#reply(note(entry, await disturb(fault, process, this.#tools(request, target)).catch(defect)))
  }

  /**
   * The order of the checks. The rate first, because a request above it is not processed (section 8); the
   * version before the path, because it decides which paths there are (section 9); the token before the
   * body, so that nobody unknown learns anything.
   */
  async #process(request: EngineRequest, target: Target, entry: Outcome): Promise<Answer> {
    const wait = this.#parts.limiter.admit(this.#parts.clock.monotonic())
    if (wait > 0) return this.#tooMany(wait)
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
        return await this.#parts.gateway.mint(name, request)
      }
      const answer = await this.#serve(name, request, target)
      if (!('fault' in answer)) return answer
      entry.fault = answer.fault.kind
      const again = async () => {
        return note(entry, settled(await this.#serve(name, request, target).catch(refusal)))
      }
      return await disturb(answer.fault, again, this.#tools(request, target))
    } catch (error) {
      return refusal(error)
    }
  }

  /** The token first, and then what it is needed for. */
  async #serve(name: RouteName, request: EngineRequest, target: Target): Promise<Answer | Magic> {
    const { gateway } = this.#parts
    return gateway.serve(name, request, target, await gateway.authorise(request, target))
  }

  #tooMany(waitMs: number): Answer {
    const { clock, retryAfter: as } = this.#parts
    return tooMany(as === false ? {} : retryAfter(waitMs / 1000, as, clock.now()))
  }

  #tools(request: EngineRequest, target: Target): FaultTools {
    const { bank, clock, random, tokens, callbackFaults } = this.#parts
    const payment = () => bank.at(target)
    return {
      clock,
      random,
      ageMs: () => {
        const found = payment()
        return found === undefined ? undefined : clock.monotonic() - found.acceptedAtMs
      },
      callbackFirst: () => {
        const found = payment()
        if (found !== undefined) bank.hurry(found)
        return callbackFaults.idle()
      },
      revokeToken: async () => {
        const token = bearerToken(header(request.headers, 'authorization'))
        // A token that is not one of ours can't be revoked, and is refused all the same.
        if (token !== undefined) await tokens.revoke(token).catch(() => {})
      },
    }
  }

  #reply(answer: Answer): EngineReply {
    const { status, ending = 'whole' } = answer
    const { errorFormat, strictness } = this.#parts
    const { body, headers: own } = shown(answer, errorFormat)
    const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
    const type = text === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }
    const more = strictness === 'generous' ? { 'cache-control': 'no-store', date: this.#httpDate() } : {}
    return { status, headers: { ...type, ...more, ...own }, body: text, ending }
  }

  #httpDate(): string {
    const now = this.#parts.clock.now()
    const second = Math.floor(now / 1000)
    if (second !== this.#dateSecond) {
      this.#dateSecond = second
      this.#date = new Date(now).toUTCString()
    }
    return this.#date
  }
}

function unknownRoute({ allowed }: Target): Answer {
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

/**
 * Writes into the log what the client sees. An answer of a fault has no verdict of its own, so that of what
 * was processed before stays; and a fault that shows no answer leaves its status too.
 */
function note(entry: Outcome, answer: Answer): Answer {
  const isOfFault = answer.verdict === 'FAULT'
  if (!isOfFault) entry.verdict = answer.verdict
  if (!isOfFault || answer.ending === undefined || answer.ending === 'whole') entry.status = answer.status
  return answer
}

/** What a request that was refused is answered. */
function refusal(error: unknown): Answer {
  if (error instanceof Refusal) return refused(error.status, error.code, error.message, error.headers)
  return defect(error)
}

/** A create that has met its magic fault does not meet another. */
function settled(answer: Answer | Magic): Answer {
  return 'fault' in answer ? defect('one magic fault after the other') : answer
}

/** A defect of the sandbox, or of a function that a test has put into it. */
function defect(error: unknown): Answer {
  const message = `Something failed inside the sandbox: ${String(error)}`
  // Shown whatever the gateway shows: this is for whoever wrote the test.
  return { ...refused(500, 'SANDBOX_DEFECT', message), refusal: undefined }
}
