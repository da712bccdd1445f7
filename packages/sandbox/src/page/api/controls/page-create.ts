import { randomUUID } from 'node:crypto'
import type { SandboxSettings } from '../../../gateway/normalise-options.js'
import type { CreateOrder } from '../orders.js'
import type { PageParts } from '../parts.js'
import { field, type PageAnswer, type PageClient } from './page-client.js'

/** The result of a request that the page sent. */
export interface Sent {
  /** Null when no answer arrived in time. */
  readonly status: number | null
  readonly verdict: string | null
  /** Whether the answer would have reached a client whole. */
  readonly arrived: boolean
  readonly message: string
}

export type Created = Awaited<ReturnType<typeof createPayment>>

/** What a create of the page asks for; the customer is made up. */
export function createBody(
  { kind, amount, currencyCode, operator, callbackUrl }: CreateOrder,
  { payinMethods, paymentOperators }: Pick<SandboxSettings, 'payinMethods' | 'paymentOperators'>,
): object {
  return {
    paymentRequested: { money: { amount, currencyCode } },
    paymentMethod: {
      paymentMethodCode: kind === 'payin' ? (payinMethods[0] ?? 'VAPAY') : 'BANK_TRANSFER',
      paymentOperatorCode: operator ?? paymentOperators[0]?.code,
      account: { accountName: 'Jana Example', accountNumber: '000123-0123456789' },
      emailAddress: 'jana@example.com',
    },
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
  }
}

/** Creates a payment by a request of its own. A magic value does what it does to anybody. */
export async function createPayment(
  order: CreateOrder,
  client: PageClient,
  { ledger, settings }: Pick<PageParts, 'ledger' | 'settings'>,
) {
  const { kind, id = randomUUID() } = order
  const body = createBody(order, settings)
  const sent = sentOf(await client.create(`/${kind}s/${encodeURIComponent(id)}`, body))
  // Whether the sandbox holds a payment with that id now.
  const held = ledger.store(kind).find(id) !== undefined
  return { ...sent, kind, id, held }
}

/** The result of a request, with a sentence. */
export function sentOf(answer: PageAnswer): Sent {
  if (answer === undefined) {
    return {
      status: null,
      verdict: null,
      arrived: false,
      message: 'No answer arrived. Look it up to learn whether it was processed.',
    }
  }
  const { status, body, ending } = answer
  const code = field(body, 'code')
  const verdict = typeof code === 'string' ? code : null
  if (ending !== 'whole') {
    const message = 'The answer was lost on its way. Look it up to learn whether it was processed.'
    return { status, verdict, arrived: false, message }
  }
  const text = field(body, 'message')
  const why = typeof text === 'string' ? `: ${text}` : verdict === null ? '.' : `: ${verdict}.`
  const message =
    status === 409
      ? 'Answered 409: this id was accepted before, so nothing new was made.'
      : `Answered ${status}${why}`
  return { status, verdict, arrived: true, message }
}
