import { type GatewayErrorCode, isGatewayError, type Outcome } from '../../../src/index.js'
import type { Machine } from '../world/machine.js'

/** What a client can know of one request that it sent: none arrived to be processed, one may have, one was accepted. */
export type Knowable = 'nothing' | 'possible' | 'certain'

/** One request of a call, from its client's side. Until its end is known, anything is possible. */
export interface Sent {
  knowable: Knowable
}

/** How a call ended. */
export type Ending =
  | { readonly kind: 'success'; readonly replayed: boolean; readonly id: string }
  | {
      readonly kind: 'error'
      readonly code: GatewayErrorCode
      readonly outcome: Outcome | undefined
      readonly id: string | undefined
    }

/** One call of a create: who asked for what, what went over the wire, and what came of it. */
export interface Call {
  readonly number: number
  readonly order: number
  readonly kind: 'payin' | 'payout'
  readonly amount: number
  readonly machine: Machine
  readonly life: number
  readonly startedAt: number
  readonly sent: Sent[]
  /** Whether a request of this call was accepted, whenever that was. */
  wasAccepted: boolean
  ending: Ending | undefined
}

const domain = '@shop.example'

/** Every create carries the number of its call where no gateway looks. */
export function emailOf(call: Pick<Call, 'number'>): string {
  return `call-${call.number}${domain}`
}

/** The number of the call that a body of a create belongs to. */
export function callNumberIn(email: string | undefined): number | undefined {
  const [, digits] = /^call-(\d+)@/.exec(email ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Every order has an account of its own, by which its payments are known whatever their ids. */
export function accountOf(order: number): string {
  return `000${order}`
}

/** What can be known of all requests of a call. */
export function knowableOf({ sent }: Pick<Call, 'sent'>): Knowable {
  if (sent.some(({ knowable }) => knowable === 'certain')) return 'certain'
  return sent.some(({ knowable }) => knowable === 'possible') ? 'possible' : 'nothing'
}

/** What can be known by a complete response to a create (specification, section 7). */
export function knowableFrom(status: number, isGateways: boolean): Knowable {
  if (status === 409 || (status < 300 && isGateways)) return 'certain'
  return status === 408 || status < 400 || status >= 500 ? 'possible' : 'nothing'
}

/** The end of a call that rejected. Whatever is no error of ours is a defect, and goes on. */
export function endingOf(error: unknown): Ending {
  if (!isGatewayError(error)) throw error
  const { code, outcome } = error
  const id =
    ('idPayin' in error ? error.idPayin : undefined) ?? ('idPayout' in error ? error.idPayout : undefined)
  return { kind: 'error', code, outcome, id }
}
