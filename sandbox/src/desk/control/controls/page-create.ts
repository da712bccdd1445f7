import { randomUUID } from 'node:crypto'
import type { SandboxSettings } from '../../../gateway/normalise-options.js'
import { isRecord } from '../../../gateway/wire/json-body.js'
import { PageRefusal } from '../http/responses.js'
import type { Created, CreateOrder, Sent } from '../messages/controls.js'
import type { PageParts } from '../parts/parts.js'
import { field, type PageAnswer, type PageClient } from './page-client.js'

/** What a create of the page asks for; the customer is made up. */
export function createBody(
  { kind, amount, currencyCode, operator, callbackUrl }: CreateOrder,
  payinMethod = 'VAPAY',
): object {
  return {
    paymentRequested: { money: { amount, currencyCode } },
    paymentMethod: {
      paymentMethodCode: kind === 'payin' ? payinMethod : 'BANK_TRANSFER',
      paymentOperatorCode: operator,
      account: { accountName: 'Jana Example', accountNumber: '000123-0123456789' },
      emailAddress: 'jana@example.com',
    },
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
  }
}

/** @throws PageRefusal that says what is missing; everything else is for the gateway to refuse */
export function createOrder(
  body: unknown,
  { paymentOperators }: Pick<SandboxSettings, 'paymentOperators'>,
): CreateOrder & { readonly id: string } {
  if (!isRecord(body)) throw new PageRefusal(400, 'A payment is an object.')
  const { kind, amount, currencyCode, id = randomUUID(), callbackUrl } = body
  const { operator = paymentOperators[0]?.code } = body
  if (kind !== 'payin' && kind !== 'payout') throw new PageRefusal(400, 'kind must be payin or payout.')
  if (typeof amount !== 'number') throw new PageRefusal(400, 'amount must be a number.')
  if (typeof currencyCode !== 'string') throw new PageRefusal(400, 'currencyCode must be a text.')
  if (typeof operator !== 'string') throw new PageRefusal(400, 'operator must be a text.')
  if (typeof id !== 'string') throw new PageRefusal(400, 'id must be a text.')
  if (callbackUrl !== undefined && typeof callbackUrl !== 'string') {
    throw new PageRefusal(400, 'callbackUrl must be a text.')
  }
  return { kind, amount, currencyCode, operator, id, ...(callbackUrl === undefined ? {} : { callbackUrl }) }
}

/** Creates a payment by a request of its own. A magic value does what it does to anybody. */
export async function createPayment(
  order: CreateOrder & { readonly id: string },
  client: PageClient,
  { ledger, settings }: Pick<PageParts, 'ledger' | 'settings'>,
): Promise<Created> {
  const { kind, id } = order
  const body = createBody(order, settings.payinMethods[0])
  const sent = sentOf(await client.call('POST', `/${kind}s/${encodeURIComponent(id)}`, body))
  const held = ledger.store(kind).find(id) !== undefined
  return { ...sent, kind, id, held }
}

/** What came of a request, in a sentence. */
export function sentOf(answer: PageAnswer): Sent {
  if (answer === undefined) {
    return {
      status: null,
      verdict: null,
      arrived: false,
      message: 'No answer came. Whether it was processed, only a look-up tells.',
    }
  }
  const { status, body, ending } = answer
  const code = field(body, 'code')
  const verdict = typeof code === 'string' ? code : null
  if (ending !== 'whole') {
    const message = 'The answer was lost on its way. Whether it was processed, only a look-up tells.'
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
