import type { MagicAmount } from '../../../gateway/faults/magic-amounts.js'
import type { CreateOrder } from '../messages/controls.js'

/** One thing that the shop does. */
export type ShopStep =
  | { readonly does: 'pay'; readonly title: string; readonly order: CreateOrder }
  | { readonly does: 'refuse'; readonly title: string; readonly mistake: Mistake }

/** What a program that talks to the gateway gets wrong in its first hours. */
export type Mistake = 'wrong-signature' | 'no-token' | 'wrong-scope' | 'bad-amount' | 'no-version'

export const SHOP_SIZE = 20

const plain = [
  { title: 'A payin', kind: 'payin', amount: 24.9 },
  { title: 'A large payin', kind: 'payin', amount: 1290 },
  { title: 'A payin of a few cents', kind: 'payin', amount: 0.5 },
  { title: 'A refund', kind: 'payout', amount: 24.9 },
  { title: 'A payout', kind: 'payout', amount: 315.4 },
] as const

/** Magic values that need no patience, by their place in the table, in the order of the play. */
const wanted = [
  { amount: 4001, kind: 'payin' },
  { amount: 4002, kind: 'payin' },
  { amount: 4003, kind: 'payin' },
  { amount: 4006, kind: 'payout' },
  { amount: 5001, kind: 'payin' },
  { amount: 5003, kind: 'payout' },
  { amount: 5004, kind: 'payin' },
  { amount: 5006, kind: 'payin' },
  { amount: 5013, kind: 'payout' },
  { amount: 7002, kind: 'payin' },
] as const

const mistakes: readonly { readonly title: string; readonly mistake: Mistake }[] = [
  { title: 'A token asked for with a wrong key', mistake: 'wrong-signature' },
  { title: 'A payin without a token', mistake: 'no-token' },
  { title: 'A payin with a token for something else', mistake: 'wrong-scope' },
  { title: 'A payin of no amount', mistake: 'bad-amount' },
  { title: 'A request without X-API-Version', mistake: 'no-version' },
]

/**
 * Twenty payments of all kinds: those that go well, those that a magic value makes special, and those that are
 * refused. What is not among the sandbox's own magic values is a plain payin.
 */
export function shopPlan(
  magicAmounts: readonly MagicAmount[],
  operator: string,
  currencyCode: string,
  callbackUrl: string | undefined,
): ShopStep[] {
  const where = { currencyCode, ...(callbackUrl === undefined ? {} : { callbackUrl }) }
  const payments = plain.map(({ title, kind, amount }): ShopStep => {
    return { does: 'pay', title, order: { kind, amount, operator, ...where } }
  })
  const special = wanted.map(({ amount, kind }, index): ShopStep => {
    const magic = magicAmounts.find((one) => one.amount === amount)
    if (magic === undefined) {
      return {
        does: 'pay',
        title: 'A payin',
        order: { kind: 'payin', amount: 10 + index, operator, ...where },
      }
    }
    const by =
      magic.operatorCode === undefined
        ? { amount, operator }
        : { amount: 18 + index, operator: magic.operatorCode }
    return { does: 'pay', title: magic.meaning, order: { kind, ...by, ...where } }
  })
  const refusals = mistakes.map((mistake): ShopStep => ({ does: 'refuse', ...mistake }))
  return mixed([payments, special, refusals])
}

/** One of each list in turn, as long as there are any. */
function mixed<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat()
}
