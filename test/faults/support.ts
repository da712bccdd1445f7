// The client loads undici at its first request, which would count against the short limits of these tests.
import type { AnyFields } from '../support/caught.js'
import { over, type SomeOptions } from '../support/client-options.js'
import 'undici'
import {
  type AnyGatewayError,
  type ClientOptions,
  type ClientSettings,
  GatewayClient,
  isGatewayError,
} from '../../src/index.js'

export type Kind = 'payin' | 'payout'
export type TransportName = 'undici' | 'fetch'

/** Both kinds of payment over both transports. */
export const matrix = (['payin', 'payout'] as const).flatMap((kind) =>
  (['undici', 'fetch'] as const).map((transport) => ({ kind, transport })),
)

/** Signs nothing: for gateways written by hand, which check no signature. */
export const anySigner = { sign: () => Promise.resolve(new Uint8Array([1])) }

export function idField(kind: Kind): 'idPayin' | 'idPayout' {
  return kind === 'payin' ? 'idPayin' : 'idPayout'
}

export function createRoute(kind: Kind) {
  return kind === 'payin' ? ('POST /payins/{idPayin}' as const) : ('POST /payouts/{idPayout}' as const)
}

export function lookUpRoute(kind: Kind) {
  return kind === 'payin' ? ('GET /payins/{idPayin}' as const) : ('GET /payouts/{idPayout}' as const)
}

export interface Asked {
  readonly amount?: number | string
  readonly id?: string
}

export function paymentRequest(amount: number | string = '10.50') {
  return {
    paymentRequested: { money: { amount, currencyCode: 'EUR' } },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      paymentOperatorCode: 'HARBOUR',
      account: { accountName: 'Jana Novak', accountNumber: '000123-0123456789' },
      emailAddress: 'jana@example.com',
    },
  }
}

/** One create of either kind. */
export function create(
  client: GatewayClient,
  kind: Kind,
  { id = 'order-1', amount = '10.50' }: Asked = {},
  options: Parameters<GatewayClient['payins']['create']>[1] = undefined,
) {
  const request = paymentRequest(amount)
  return kind === 'payin'
    ? client.payins.create({ idPayin: id, ...request }, options)
    : client.payouts.create({ idPayout: id, ...request }, options)
}

export function transportOptions(transport: TransportName): Partial<ClientSettings> {
  return transport === 'fetch' ? { fetch: globalThis.fetch } : {}
}

/** A client whose limits are short, and whose rate limit is what every client has. */
export function clientOf(
  baseUrl: string,
  transport: TransportName,
  options: SomeOptions = {},
): GatewayClient {
  const { privateKey } = options
  const base: ClientOptions = {
    baseUrl,
    merchantCode: 'M-0001',
    ...(privateKey === undefined ? { signer: anySigner } : { privateKey }),
    retries: 1,
    timeoutMs: 2000,
    deadlineMs: 10_000,
    ...transportOptions(transport),
  }
  return new GatewayClient(over(base, options))
}

/** The error of a call, which must be one of ours. */
export async function failure(call: Promise<unknown>): Promise<AnyGatewayError & AnyFields> {
  const error = await call.then(
    (value) => new Error(`it resolved: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (isGatewayError(error)) return error
  throw error
}
