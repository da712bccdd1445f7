import { GatewayClient } from '../../../../src/index.js'
import type { Question } from '../answer.js'
import type { TimestampUnit } from '../doctor/gateway-checks.js'
import type { Environment } from '../io.js'

/** What a token is to allow. */
export type Grant =
  | {
      readonly operations: readonly string[]
      readonly money?: { readonly amount: number; readonly currencyCode: string }
    }
  | { readonly action: string; readonly idPayment: string }

/** How a token request is written. */
export interface TokenStyle {
  readonly unit: TimestampUnit
  /** By how much this machine's clock is to be set back in it. */
  readonly aheadMs: number
  readonly validitySecs: number
}

/**
 * A token request as the client writes and signs it by the environment. It is not sent: so it can be sent twice,
 * or with a signature that is wrong.
 *
 * @throws {ConfigurationError} for settings that are wrong.
 */
export async function tokenRequest(
  env: Environment,
  { unit, aheadMs, validitySecs }: TokenStyle,
  grant: Grant,
): Promise<Question> {
  let written: Question | undefined
  const client = GatewayClient.fromEnv(
    {
      timestampUnit: unit,
      now: () => Date.now() - aheadMs,
      rateLimit: false,
      retries: 0,
      async fetch(input, init) {
        const request = new Request(input, init)
        const path = 'action' in grant ? '/auth-tokens-by-action' : '/auth-tokens'
        const headers = Object.fromEntries(request.headers)
        written = { method: 'POST', path, headers, body: await request.text() }
        return Response.json({ token: 'nothing-was-sent-yet' })
      },
    },
    // What was learnt of another gateway, or long ago, is not to be found again.
    { ...env, GATEWAY_PROFILE: undefined },
  )
  const { authTokens } = client
  await ('action' in grant
    ? authTokens.createByAction({ ...grant, validitySecs })
    : authTokens.create({ ...grant, validitySecs }))
  if (written === undefined) throw new Error('the client has written no token request')
  return written
}

/** The same with a signature of which one character is another; undefined where it has none. */
export function withWrongSignature(request: Question): Question | undefined {
  const signature = request.headers?.['x-signature']
  if (signature === undefined) return undefined
  return { ...request, headers: { ...request.headers, 'x-signature': withOtherCharacter(signature) } }
}

/** In the last part, since the first ones of a token are no secret; in its middle, since its end may be padding. */
export function withOtherCharacter(text: string): string {
  const at = Math.floor((text.lastIndexOf('.') + 1 + text.length) / 2)
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}
