import { isSuccess, type Question, type Reply, whyNot } from './answer.js'
import { type Finding, fail, ok, skip } from './doctor/finding.js'

/** What a gateway does with a token that is limited to one payout and its money; absent where it could not be told. */
export interface TokenLimits {
  readonly idLimit?: 'kept' | 'ignored'
  readonly moneyLimit?: 'kept' | 'ignored'
  /** Why something could not be told. */
  readonly why?: string
}

/** How it is found out. The id is new, and no payment has it. */
export interface LimitTry {
  readonly id: string
  readonly money: { readonly amount: number; readonly currencyCode: string }
  /** A payout of that money. */
  readonly body: object
  /** A token to create the payout of `id`, limited to this money; or why there is none. */
  readonly mint: (money: LimitTry['money']) => Promise<string | { readonly why: string }>
  readonly ask: (question: Question) => Promise<Reply>
}

/**
 * Tries three payouts that must be refused: one whose id only begins as its token's, one of another amount, and one in
 * another currency. A gateway that keeps to none of it makes them.
 */
export async function tryTokenLimits({ id, money, body, mint, ask }: LimitTry): Promise<TokenLimits> {
  const attempt = async (path: string, limit: LimitTry['money']) => {
    const token = await mint(limit)
    if (typeof token !== 'string') return { why: `a token for one payout: ${token.why}` }
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const reply = await ask({ method: 'POST', path, headers, body: JSON.stringify(body) })
    // Another refusal may be of the payout and not of the token.
    if (reply.kind === 'answered' && [401, 403].includes(reply.status)) {
      return { limit: 'kept' } as const
    }
    return isSuccess(reply) ? ({ limit: 'ignored' } as const) : { why: whyNot(reply) }
  }
  // The path of an operation may be a regular expression (specification, section 5), and one that isn't matched as a whole
  // allows every id that begins so.
  const ofId = await attempt(`/payouts/${id}0`, money)
  const ofAmount = await attempt(`/payouts/${id}`, { ...money, amount: money.amount + 1 })
  const currencyCode = money.currencyCode === 'EUR' ? 'USD' : 'EUR'
  const ofMoney =
    ofAmount.limit === 'kept' ? await attempt(`/payouts/${id}`, { ...money, currencyCode }) : ofAmount
  const why = ofId.why ?? ofMoney.why
  return {
    ...(ofId.limit === undefined ? {} : { idLimit: ofId.limit }),
    ...(ofMoney.limit === undefined ? {} : { moneyLimit: ofMoney.limit }),
    ...(why === undefined ? {} : { why }),
  }
}

export function judgeTokenLimits({ idLimit, moneyLimit, why }: TokenLimits): Finding {
  const check = 'token limits'
  const ignored = [
    ...(idLimit === 'ignored' ? ['its id'] : []),
    ...(moneyLimit === 'ignored' ? ['its money'] : []),
  ]
  if (ignored.length > 0) {
    return fail(
      check,
      `a token for one payout is not kept to ${ignored.join(' and ')}: a payout was made that had to be refused`,
      'Ask the platform; until then whoever has such a token can send any sum, and a signer protects nothing.',
    )
  }
  if (why !== undefined) return skip(check, `not seen: ${why}`)
  return ok(check, 'a token for one payout makes no other one, and none of another amount or currency')
}
