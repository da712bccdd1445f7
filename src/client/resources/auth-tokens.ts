import { type operation, operationList } from '../auth/operations.js'
import type { TokenRequests } from '../auth/token-requests.js'
import {
  type DecodedToken,
  decodeToken,
  isJwt,
  ServerToken,
  type ShareableToken,
  unshareable,
} from '../auth/tokens.js'
import { UnusableResponseError } from '../errors.js'
import type { TokenGrant } from '../http/request.js'
import { carryResponse } from '../http/response.js'
import { type CallOptions, checkCallOptions } from '../input/call-options.js'
import { argument, check, type Shape, wrongInput } from '../input/check.js'
import { textLike, wholeNumber } from '../input/kinds.js'
import { paymentId } from '../input/payment-id.js'
import * as z from '../input/zod.js'
import { type Money, type MoneyInput, requestMoney } from '../schemas/money.js'

/** What a token request may say beside what it allows (specification, section 5.5). */
export interface TokenLimits {
  /** Limits the token to this amount and currency. */
  money?: MoneyInput | undefined
  /**
   * How long the token is valid, in seconds (the wire's own unit). Default: `tokenValiditySecs`. A request
   * that is sent again, or twice in a second, asks for up to a tenth and a minute less: no two are equal.
   */
  validitySecs?: number | undefined
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
  /** How long the link or page is to work, in seconds. More than `maxValiditySecs` is refused: it may be milliseconds. */
  validitySecs: number
  /** The longest validity that is meant, in seconds. Default: 604,800, a week. */
  maxValiditySecs?: number | undefined
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
   * @throws for an action, an id, money or a validity that is certainly wrong ({@link InvalidInputError}).
   * @throws when no token came ({@link GatewayError}).
   * @example
   * const { token } = await client.authTokens.createByAction({ action: 'PAYIN_CREATE', idPayment: idPayin })
   */
  async createByAction(request: TokenByActionInput, options?: CallOptions): Promise<CreatedToken> {
    const { action, idPayment, ...limits } = check(byAction, request, wrongInput)
    return this.#create('authTokens.createByAction', { action, idPayment }, limits, options)
  }

  /**
   * A token for a list of operations. POST /auth-tokens (specification, section 5.5)
   *
   * @throws for an entry that {@link operation} would not have made ({@link InvalidInputError}).
   * @throws when no token came ({@link GatewayError}).
   * @example
   * const { token } = await client.authTokens.create({
   *   operations: [operation('GET', '/payouts/{idPayout}', { idPayout })],
   *   validitySecs: 300,
   * })
   */
  async create(request: TokenByOperationsInput, options?: CallOptions): Promise<CreatedToken> {
    const { operations, ...limits } = check(byOperations, request, wrongInput)
    return this.#create('authTokens.create', { operations }, limits, options)
  }

  /**
   * A token that allows nothing but reading one payin, for `validitySecs` seconds: the only kind that may go to a
   * browser or into an e-mail (specification, section 5.6). POST /auth-tokens-by-action
   *
   * @param request the payin, and how long the token is to work, in seconds.
   * @param options limits of this call in milliseconds, and a signal that ends it.
   * @throws for an id or a validity that is certainly wrong ({@link InvalidInputError}).
   * @throws when the token can be read and says that it is for something else ({@link UnusableResponseError}).
   * @throws when no token came ({@link GatewayError}).
   * @example
   * const token = await client.authTokens.shareable({ idPayin, validitySecs: 900 })
   * response.end(JSON.stringify({ idPayin, token }))
   */
  async shareable(request: ShareableTokenInput, options?: CallOptions): Promise<ShareableToken> {
    const { idPayin, validitySecs, maxValiditySecs } = check(toShare, request, wrongInput)
    if (validitySecs > maxValiditySecs) {
      throw wrongInput(
        'validitySecs',
        `must be at most ${maxValiditySecs} (${hoursOf(maxValiditySecs)} hours) for a token that anybody may hold; it is in seconds, so divide milliseconds by 1000, or raise maxValiditySecs if so long is meant`,
      )
    }
    const grant = { action: 'PAYIN_INFO', idPayment: idPayin }
    const { token } = await this.#requests.create(
      'authTokens.shareable',
      grant,
      validitySecs,
      checkCallOptions(options),
      (text) => refusalToShare(isJwt(text) ? unshareable(decodeToken(text).claims, idPayin) : []),
    )
    return token as ShareableToken
  }

  /**
   * Reads a token without verifying anything: only the gateway can tell whether it is good.
   *
   * @throws when it is not a JWT ({@link InvalidInputError}).
   * @example
   * const { expiresAt } = client.authTokens.decode(token)
   */
  decode(token: ServerToken | ShareableToken | string): DecodedToken {
    return decodeToken(token)
  }

  async #create(
    name: string,
    grant: TokenGrant,
    {
      money,
      validitySecs,
    }: { readonly money?: Money | undefined; readonly validitySecs?: number | undefined },
    options: CallOptions | undefined,
  ): Promise<CreatedToken> {
    const limited = money === undefined ? grant : { ...grant, money }
    const minted = await this.#requests.create(name, limited, validitySecs, checkCallOptions(options))
    const { token, lifetimeMs, response } = minted
    return carryResponse(response.value, { token: new ServerToken(token), lifetimeMs })
  }
}

const seconds = wholeNumber(1, ' of seconds')

const limits = {
  money: z.optional(requestMoney),
  validitySecs: z.optional(seconds),
} satisfies Shape<TokenLimits>

/** A field that is not known would allow more than was meant. */
const fieldsOf = <S extends z.Fields>(shape: S) => argument('a field of this token request', shape)

const byAction = fieldsOf({
  action: textLike('a text such as "PAYIN_INFO"', /./),
  idPayment: paymentId,
  ...limits,
} satisfies Shape<TokenByActionInput>)

const byOperations = fieldsOf({
  operations: operationList,
  ...limits,
} satisfies Shape<TokenByOperationsInput>)

/** A week: no page is open for longer, and few links are good for longer. */
const longestSharedSecs = 604_800

const toShare = fieldsOf({
  idPayin: paymentId,
  validitySecs: seconds,
  maxValiditySecs: z.byDefault(seconds, longestSharedSecs),
} satisfies Shape<ShareableTokenInput>)

const hoursOf = (secs: number) => Math.round(secs / 360) / 10

function refusalToShare(issues: readonly string[]): UnusableResponseError | undefined {
  if (issues.length === 0) return undefined
  return new UnusableResponseError(
    `POST /auth-tokens-by-action: the token that came is for something else than reading this payin (${issues.join(', ')}), so it must not go to a browser or into an e-mail; ask the platform why PAYIN_INFO gives such a token; no payment was touched by it.`,
    { issues },
  )
}
