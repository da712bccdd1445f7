import type { CallOptions, PaymentKind } from '../index.js'
import { wasMadeBefore } from './not-ours.js'
import type { CreatedPayment, PaymentIdOf, PaymentJobClient, PaymentOf, PaymentToSend } from './types.js'

/** What a create returned: accepted now, or found with the payment as it is. */
export interface CreateResponse<K extends PaymentKind> {
  readonly created: CreatedPayment<K>
  /** Of one that was there already. */
  readonly payment?: PaymentOf<K>
  /** Whether it was there before this call can have made it. */
  readonly existedBefore: boolean
}

/** All that differs between the kinds. */
export interface Kind<K extends PaymentKind> {
  readonly idField: 'idPayin' | 'idPayout'
  /** What the client has to have. */
  readonly resource: 'payins' | 'payouts'
  readonly defaults: {
    readonly longestPollMs: number
    /** Undefined: without an end. */
    readonly followForMs: number | undefined
    /** Of creates. */
    readonly priority: 'customer' | 'bulk'
  }
  ref(id: string): PaymentIdOf<K> & CreatedPayment<K>
  idIn(ref: PaymentIdOf<K>): string
  create(
    client: PaymentJobClient<K>,
    request: PaymentToSend<K>,
    options: CallOptions,
  ): Promise<CreateResponse<K>>
  retrieve(client: PaymentJobClient<K>, id: string, options: CallOptions): Promise<PaymentOf<K>>
}

const payin: Kind<'payin'> = {
  idField: 'idPayin',
  resource: 'payins',
  defaults: { longestPollMs: 3_600_000, followForMs: 3 * 86_400_000, priority: 'customer' },
  ref: (idPayin) => ({ idPayin }),
  idIn: ({ idPayin }) => idPayin,
  async create({ payins }, request, options) {
    const payin = await payins.create(request, options)
    const { idPayin, paymentMethodResponse } = payin
    const created = paymentMethodResponse ? { idPayin, paymentMethodResponse } : { idPayin }
    // An order's page may have created it before: the same money by the same method, and nobody pays twice by it.
    return payin.replayed
      ? { created, payment: payin, existedBefore: false }
      : { created, existedBefore: false }
  },
  retrieve: ({ payins }, id, options) => payins.retrieve(id, options),
}

const payout: Kind<'payout'> = {
  idField: 'idPayout',
  resource: 'payouts',
  defaults: { longestPollMs: 600_000, followForMs: undefined, priority: 'bulk' },
  ref: (idPayout) => ({ idPayout }),
  idIn: ({ idPayout }) => idPayout,
  async create({ payouts }, request, options) {
    const beganAt = Date.now()
    const payout = await payouts.create(request, options)
    const created = { idPayout: request.idPayout }
    if (!payout.replayed) return { created, existedBefore: false }
    // A lost response hides from the client that it was there; its date doesn't.
    return { created, payment: payout, existedBefore: payout.existedBefore || wasMadeBefore(payout, beganAt) }
  },
  retrieve: ({ payouts }, id, options) => payouts.retrieve(id, options),
}

const kinds: { readonly [K in PaymentKind]: Kind<K> } = { payin, payout }

export function kindOf<K extends PaymentKind>(kind: K): Kind<K> {
  return kinds[kind]
}

export function isKind(value: unknown): value is PaymentKind {
  return value === 'payin' || value === 'payout'
}
