import { operation } from '../auth/operations.js'
import type { TokenGrant } from '../auth/scopes.js'
import type { TokenRequests } from '../auth/token-requests.js'
import { type DecodedToken, decodeToken, isJwt, ServerToken, type ShareableToken } from '../auth/tokens.js'
import { UnusableResponseError } from '../errors.js'
import { type CallOptions, checkCallOptions } from '../http/call-options.js'
import { carryResponse } from '../http/response-info.js'
import { type MoneyInput, requestMoney } from '../schemas/money.js'
import { didYouMean, ownOf } from '../schemas/own.js'
import { checkId } from '../schemas/payment-id.js'
import { isObject } from '../schemas/request-fields.js'
import { wrongInput } from '../schemas/wrong-input.js'

/** What a token request may say beside what it allows (specification, section 5.5). */
export interface TokenLimits {
  /** Limits the token to this amount and currency. */
  money?: MoneyInput
  /**
   * How long the token is valid, in seconds (the wire's own unit). Default: `tokenValiditySecs`. A request
   * that is sent again, or twice in a second, asks for up to a tenth and a minute less: no two are equal.
   */
  validitySecs?: number
}

/** Request of `authTokens.createByAction`. */
export interface TokenByActionInput extends TokenLimits {
  /** What it allows; the specification shows these two (section 2). */
  action: 'PAYIN_CREATE' | 'PAYIN_INFO' | (string & {})
  /** The one payment that the token is for. */
  idPayment: string
}

/** Request of `authTokens.create`. */
export interface TokenByOperationsInput extends TokenLimits {
  /** Entries as {@link operation} makes them. */
  operations: readonly string[]
}

/** A token for this server. */
export interface CreatedToken {
  /** Prints as `[redacted]`; `token.reveal()` gives the text. */
  readonly token: ServerToken
  /** How long it lives, in milliseconds, by its own claims or by what was asked for. */
  readonly lifetimeMs: number
}

/** Request of `authTokens.shareable`. */
export interface ShareableTokenInput {
  /** The one payin that the token can read. */
  idPayin: string
  /** How long the link or page is to work, in seconds. */
  validitySecs: number
}

/** Tokens for calls of your own, and for browsers (specification, section 5). */
export class AuthTokens {
  readonly #requests: TokenRequests

  /** @internal */
  constructor(requests: TokenRequests) {
    this.#requests = requests
  }

  /**
   * A token for one action on one payment. POST /auth-tokens-by-action (specification, section 5.5)
   *
   * @throws {InvalidInputError} for an action, an id, money or a validity that is certainly wrong.
   * @throws {GatewayError} when no token came.
   * @example
   * const { token } = await client.authTokens.createByAction({ action: 'PAYIN_CREATE', idPayment: idPayin })
   */
  async createByAction(request: TokenByActionInput, options?: CallOptions): Promise<CreatedToken> {
    const fields = checkRequest(request, ['action', 'idPayment', ...limits])
    const { action, idPayment } = fields
    if (typeof action !== 'string' || action === '')
      throw wrongInput('action', 'must be a text such as "PAYIN_INFO"')
    const grant = { action, idPayment: checkId(idPayment, 'idPayment') }
    return this.#create('authTokens.createByAction', grant, fields, options)
  }

  /**
   * A token for a list of operations. POST /auth-tokens (specification, section 5.5)
   *
   * @throws {InvalidInputError} for an entry that {@link operation} would not have made.
   * @throws {GatewayError} when no token came.
   * @example
   * const { token } = await client.authTokens.create({
   *   operations: [operation('GET', '/payouts/{idPayout}', { idPayout })],
   *   validitySecs: 300,
   * })
   */
  async create(request: TokenByOperationsInput, options?: CallOptions): Promise<CreatedToken> {
    const fields = checkRequest(request, ['operations', ...limits])
    const grant = { operations: checkOperations(fields.operations) }
    return this.#create('authTokens.create', grant, fields, options)
  }

  /**
   * A token that allows nothing but reading one payin: the only kind that may go to a
   * browser or into an e-mail (specification, section 5.6). POST /auth-tokens-by-action
   *
   * @throws {InvalidInputError} for an id or a validity that is certainly wrong.
   * @throws {UnusableResponseError} when the token can be read and says that it is for something else.
   * @throws {GatewayError} when no token came.
   * @example
   * const token = await client.authTokens.shareable({ idPayin, validitySecs: 900 })
   * response.end(JSON.stringify({ idPayin, token }))
   */
  async shareable(request: ShareableTokenInput, options?: CallOptions): Promise<ShareableToken> {
    const { idPayin, validitySecs } = checkRequest(request, ['idPayin', 'validitySecs'])
    const grant = { action: 'PAYIN_INFO', idPayment: checkId(idPayin, 'idPayin') }
    const validity = checkValidity(validitySecs)
    // Few need it, so it is loaded when it is needed; and before anything is sent.
    const { unshareable } = await import('../auth/shareable-claims.js')
    const { token } = await this.#requests.create(
      'authTokens.shareable',
      grant,
      validity,
      checkCallOptions(options),
      (came) => refusalToShare(isJwt(came) ? unshareable(decodeToken(came).claims, idPayin) : []),
    )
    return token as ShareableToken
  }

  /**
   * Reads a token without verifying anything: only the gateway can tell whether it is good.
   *
   * @throws {InvalidInputError} when it is not a JWT.
   * @example
   * const { expiresAt } = client.authTokens.decode(token)
   */
  decode(token: ServerToken | ShareableToken | string): DecodedToken {
    return decodeToken(token)
  }

  async #create(
    name: string,
    grant: TokenGrant,
    { money, validitySecs }: TokenLimits,
    options: CallOptions | undefined,
  ): Promise<CreatedToken> {
    const limited = money === undefined ? grant : { ...grant, money: requestMoney(money, 'money') }
    const secs = validitySecs === undefined ? undefined : checkValidity(validitySecs)
    const minted = await this.#requests.create(name, limited, secs, checkCallOptions(options))
    const { token, lifetimeMs, response } = minted
    return carryResponse(response.value, { token: new ServerToken(token), lifetimeMs })
  }
}

/** @throws {InvalidInputError} unless it is a list of entries such as {@link operation} makes. */
export function checkOperations(operations: readonly string[]): readonly string[] {
  const entry = /^[A-Z]+ \S+$/
  const fits = Array.isArray(operations) && operations.length > 0
  if (!fits || !operations.every((one) => typeof one === 'string' && entry.test(one))) {
    throw wrongInput(
      'operations',
      'must be a list of entries such as "GET /payins/.*"; operation() makes them',
    )
  }
  return operations
}

/** Why a token that was to be for reading one payin must not be given away; undefined where nothing shows it. */
function refusalToShare(issues: readonly string[]): UnusableResponseError | undefined {
  if (issues.length === 0) return undefined
  return new UnusableResponseError(
    `POST /auth-tokens-by-action: the token that came is for something else than reading this payin (${issues.join(', ')}), so it must not go to a browser or into an e-mail; ask the platform why PAYIN_INFO gives such a token; no payment was touched by it.`,
    { issues },
  )
}

const limits = ['money', 'validitySecs']

/** @throws {InvalidInputError} for a field that is not one of these: the token would allow more than was meant. */
function checkRequest<T extends object>(request: T, known: readonly string[]): T {
  if (!isObject(request)) throw wrongInput('request', 'must be an object')
  const notKnown = (name: string) =>
    `is not a field of this token request (${known.join(', ')})${didYouMean(name, known)}`
  return ownOf(request, known, notKnown, wrongInput)
}

function checkValidity(secs: unknown): number {
  if (typeof secs !== 'number' || !Number.isSafeInteger(secs) || secs < 1) {
    throw wrongInput('validitySecs', 'must be a whole number of seconds, 1 or more')
  }
  return secs
}
