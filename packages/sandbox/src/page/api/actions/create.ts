import { randomUUID } from 'node:crypto'
import { fieldAt, jsonOf } from '../../../common/json.js'
import type { SandboxSettings } from '../../../gateway/normalise-options.js'
import type { CreateBody } from '../bodies.js'
import type { PageParts } from '../parts.js'
import { filled } from '../text.js'
import type { PageClient, PageResponse } from './client.js'

export interface Sent {
  /** Null when no response arrived in time. */
  readonly status: number | null
  readonly verdict: string | null
  /** Whether the response would have reached a client whole. */
  readonly arrived: boolean
  readonly message: string
}

export type Created = Awaited<ReturnType<typeof createPayment>>

/** Creates a payment by a request of its own. A magic value does what it does to anybody. */
export async function createPayment(
  body: CreateBody,
  client: PageClient,
  { ledger, settings }: Pick<PageParts, 'ledger' | 'settings'>,
) {
  const { kind, id = randomUUID() } = body
  const response = await client.create(`/${kind}s/${encodeURIComponent(id)}`, requestOf(body, settings))
  // Whether the sandbox holds a payment with that id now.
  const held = ledger.store(kind).find(id) !== undefined
  return { ...sentOf(response), kind, id, held }
}

/** What a create of the page asks for; the customer is made up. */
function requestOf(
  { kind, amount, currencyCode, operator, callbackUrl }: CreateBody,
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

const messages = {
  none: 'No response arrived. Look the payment up to learn whether it was processed.',
  lost: 'The response was lost. Look the payment up to learn whether it was processed.',
  duplicate: 'Response 409: this id was accepted before, so nothing new was made.',
  whole: 'Response {status}{why}',
} as const

export function sentOf(response: PageResponse): Sent {
  if (response === undefined) return { status: null, verdict: null, arrived: false, message: messages.none }
  const { status, body, ending } = response
  const { code, message } = { code: textAt(body, 'code'), message: textAt(body, 'message') }
  const why = message ?? (code === null ? null : `${code}.`)
  const arrived = ending === 'whole'
  const sentence = !arrived ? messages.lost : status === 409 ? messages.duplicate : messages.whole
  const values = { status, why: why === null ? '.' : `: ${why}` }
  return { status, verdict: code, arrived, message: filled(sentence, values) }
}

function textAt(json: string, name: string): string | null {
  const value = fieldAt(jsonOf(json), name)
  return typeof value === 'string' ? value : null
}
