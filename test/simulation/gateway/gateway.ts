import { assemble, type SandboxParts } from '../../../packages/sandbox/src/gateway/assemble.js'
import { normaliseOptions } from '../../../packages/sandbox/src/gateway/normalise-options.js'
import type { Payment } from '../../../packages/sandbox/src/gateway/payments/payment.js'
import type { GatewayRequest } from '../../../packages/sandbox/src/gateway/wire/request.js'
import type { WireResponse } from '../../../packages/sandbox/src/gateway/wire/response.js'
import type {
  DeliverCallback,
  FaultAction,
  LimiterKind,
  RouteName,
} from '../../../packages/sandbox/src/index.js'
import { callNumberIn } from '../judge/calls.js'
import type { Judge } from '../judge/judge.js'
import type { Fault, MessageFault } from '../plan.js'
import type { World } from '../world/world.js'
import { publicKey } from './keys.js'

const ofGateway: readonly MessageFault[] = [
  'server-error',
  'refusal',
  'too-many',
  'hidden',
  'token-revoked',
  'more-fields',
]

/** The sandbox, as a machine of the simulation. */
export class Gateway {
  readonly #world: World
  readonly #judge: Judge
  readonly #parts: SandboxParts
  /** Whether a connection to it can be made. */
  isReachable = true
  /** How many requests it has had. */
  requests = 0

  constructor(world: World, judge: Judge, deliver: DeliverCallback) {
    const { settings, seed } = world.plan
    this.#world = world
    this.#judge = judge
    this.#parts = world.scheduler.as(world.gateway, () =>
      assemble(
        normaliseOptions({
          deliver,
          seed,
          merchantCode: 'M-0001',
          publicKeys: [publicKey],
          // One request for both kinds of payment.
          payinMethods: ['BANK_TRANSFER'],
          limiter: settings.limiter,
          retryAfter: settings.retryAfter,
          payAfterMs: settings.payAfterMs,
          payJitterMs: settings.payAfterMs,
          magicAmounts: false,
          // A merchant without sweeps relies on them, so they come until they are taken.
          callbackTries: 16,
          maxLogged: 0,
        }),
      ),
    )
  }

  find(kind: 'payin' | 'payout', id: string): Payment | undefined {
    return this.#parts.ledger.store(kind).find(id)
  }

  /**
   * A request arrives, and meets what the gateway does wrong at the time. Or it arrives twice, and the response to the
   * second leaves, unless that was one too many: nobody could know then that the first was processed.
   */
  async arrive(request: GatewayRequest, isRepeated: boolean): Promise<WireResponse> {
    if (!isRepeated) return this.#take(request, this.#faultFor(request))
    const first = await this.#take(request, undefined)
    const second = await this.#take(request, undefined)
    return second.status === 429 ? first : second
  }

  async #take(request: GatewayRequest, fault: FaultAction | undefined): Promise<WireResponse> {
    const { ledger, engine, faults } = this.#parts
    const [, resource, encodedId] = request.path.split('/')
    const kind = resource === 'payins' ? 'payin' : resource === 'payouts' ? 'payout' : undefined
    const id = decodeURIComponent(encodedId ?? '')
    const before = kind && ledger.store(kind).find(id)
    if (fault !== undefined) faults.arm({ route: routeOf(fault, kind), action: fault, times: 1 })
    this.requests++
    const { reply, end } = engine.handle(request)
    // It verifies some tokens by WebCrypto, on threads of the real world.
    this.#world.scheduler.hold(reply)
    const answer = await reply
    end(true)
    const after = kind && ledger.store(kind).find(id)
    if (after !== undefined && before === undefined) {
      this.#judge.accepts(after, callNumberIn(after.request.emailAddress))
    }
    const verdict = after !== undefined && before === undefined ? ', accepted' : ''
    this.#world.trace.add(
      'gateway',
      `${request.method} ${request.path}: ${answer.status}${verdict}${fault ? ` (${fault.kind})` : ''}`,
    )
    return answer
  }

  revokeTokens(): void {
    this.#parts.tokens.revokeAll()
  }

  changeLimiter(kind: LimiterKind): void {
    this.#parts.limiter.change({ kind })
  }

  #faultFor({ method, path }: GatewayRequest): FaultAction | undefined {
    const { spells } = this.#world
    const luck = spells.luck(`gateway ${method} ${path}`)
    const fault = spells.hit(luck, ofGateway)
    return fault === undefined ? undefined : actionOf(fault, method, path)
  }
}

/** What hides a payment means something at lookups only. */
function routeOf({ kind: fault }: FaultAction, kind: 'payin' | 'payout' | undefined): RouteName | '*' {
  if (fault !== 'hide') return '*'
  return kind === 'payin' ? 'GET /payins/{idPayin}' : 'GET /payouts/{idPayout}'
}

function actionOf({ kind, variant }: Fault, method: string, path: string): FaultAction | undefined {
  const isToken = path.startsWith('/auth-tokens')
  switch (kind) {
    case 'server-error': {
      const status = [500, 502, 503, 504, 408][variant % 5] ?? 500
      return { kind: 'status', status, processed: !isToken && variant % 2 === 0 }
    }
    case 'refusal':
      return { kind: 'status', status: [400, 403, 422, 404][variant % 4] ?? 400 }
    case 'too-many':
      return { kind: 'rate-limit', ...(variant < 4 ? {} : { retryAfterSecs: variant - 3 }) }
    case 'hidden':
      return method === 'GET' ? { kind: 'hide', ms: 500 * (variant + 1) } : undefined
    case 'token-revoked':
      return isToken ? undefined : { kind: 'revoke-token' }
    case 'more-fields':
      return isToken ? undefined : { kind: 'extra-fields' }
    default:
      return undefined
  }
}
