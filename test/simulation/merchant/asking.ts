import {
  isFinal,
  type PayinCreateInput,
  type PaymentLike,
  type PayoutCreateInput,
} from '../../../src/index.js'
import { accountOf, type Call, type Ending, emailOf, endingOf } from '../judge/calls.js'
import type { Order } from '../plan.js'
import type { World } from '../world/world.js'
import type { Database } from './database.js'

/** What `onPayin` and `onPayout` do: they write down what they are told. */
export async function noteStatus(database: Database, number: number, payment: PaymentLike): Promise<void> {
  const isOver = isFinal(payment)
  await database.update(number, {
    status: payment.process?.status ?? undefined,
    ...(isOver ? { isFinal: true, isCreated: true } : {}),
  })
}

export function idOf({ kind, number }: Order): string {
  return `${kind}-${number}`
}

export function requestOf(
  order: Order,
  amount: number,
  call: Pick<Call, 'number'>,
): PayinCreateInput & PayoutCreateInput {
  return {
    paymentRequested: { money: { amount, currencyCode: 'EUR' } },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      paymentOperatorCode: 'HARBOUR',
      account: { accountName: 'Jana Novak', accountNumber: accountOf(order.number) },
      emailAddress: emailOf(call),
    },
  }
}

/** The judge hears of the end before anybody else can act on it. */
export async function judged<
  T extends { readonly replayed: boolean; readonly idPayin?: string; readonly idPayout?: string },
>(create: () => Promise<T>, tell: (ending: Ending) => void): Promise<T> {
  try {
    const created = await create()
    tell({ kind: 'success', replayed: created.replayed, id: created.idPayin ?? created.idPayout ?? '' })
    return created
  } catch (error) {
    tell(endingOf(error))
    throw error
  }
}

/** Fires after so long, or with another signal. */
export function abortedAfter(world: World, ms: number, other: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort()
  void world.sleep(ms).then(abort)
  other.addEventListener('abort', abort, { once: true })
  return controller.signal
}
