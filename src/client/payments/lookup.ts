import type { Scope, ScopeRules } from '../auth/scopes.js'
import type { TokenKeeper } from '../auth/token-keeper.js'
import type { About } from '../http/failure.js'
import type { GatewayRequest, Identity } from '../http/request.js'
import { isObject } from '../input/own.js'
import type { Lane } from '../observe/events.js'
import { routes } from '../routes.js'
import type { PaymentKind } from '../schemas/payment-kind.js'
import type { AnswerShape } from '../schemas/shape.js'
import { rememberId } from './id-of.js'
import { identify, identifyAfter409, whereItStands } from './identify.js'
import { paymentPath } from './requests.js'
import {
  type PaymentReading,
  type ReadingOptions,
  readBy,
  readingOf,
  statusOf,
  warnOfUnlisted,
} from './status.js'

export interface LookupParts {
  readonly tokens: TokenKeeper<Scope>
  readonly scopes: ScopeRules
  readonly reading: ReadingOptions
}

/** Makes the requests for the payments of one kind as they are now, and has what they find read by the client's rules. */
export class Lookups<Found> {
  readonly #kind: PaymentKind
  readonly #shape: AnswerShape<Found>
  readonly #parts: LookupParts
  readonly #reading: PaymentReading

  constructor(kind: PaymentKind, shape: AnswerShape<Found>, parts: LookupParts) {
    this.#kind = kind
    this.#parts = parts
    this.#reading = readingOf(kind, parts.reading)
    const [place] = this.#reading.statusFields
    this.#shape = place === 'process.status' ? shape : { ...shape, elsewhere: 'process' }
  }

  request(id: string, lane: Lane): GatewayRequest<Found> {
    const kind = this.#kind
    const { tokens, scopes } = this.#parts
    return {
      route: routes[kind].retrieve,
      path: paymentPath(kind, id),
      about: { kind: 'read', payment: kind, id },
      lane,
      token: tokens.for(scopes.payment(kind, id)),
      shape: this.#shape,
      identify: (found) => this.#read(found, id, identify(kind, found, id)),
    }
  }

  /** For what a create was answered 409 for, which may not be shown yet. @param about the create. */
  requestAfter409(id: string, about: About): GatewayRequest<Found> {
    const kind = this.#kind
    return {
      ...this.request(id, 'create'),
      about,
      // A payin may show no more than a status: left over from another one's lookup, it would be taken for this one's.
      ...(kind === 'payin' ? { connection: 'new' as const } : {}),
      retryNotFound: true,
      identify: (found) => this.#read(found, id, identifyAfter409(kind, found, id)),
    }
  }

  /** Whoever has a found payment reads it as this client does; says where its status was looked for in vain. */
  #read(found: unknown, id: string, identity: Identity): Identity {
    if (!isObject(found)) return identity
    readBy(this.#reading, found)
    rememberId(found, id)
    warnOfUnlisted(found)
    if (statusOf(found) !== undefined) return identity
    return { ...identity, lacks: `${this.#reading.statusFields[0]}: no status found (${whereItStands})` }
  }
}
