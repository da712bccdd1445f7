import { timeIn } from '../client/input/values.js'
import {
  type CallOptions,
  IdempotencyConflictError,
  type Payin,
  type PaymentKind,
  type Payout,
} from '../index.js'
import type { CreatedPayment, PaymentIdOf, PaymentJobClient, PaymentOf, PaymentToSend } from './types.js'

export interface CreateResponse<K extends PaymentKind> {
  readonly created: CreatedPayment<K>
  readonly payment?: PaymentOf<K>
  /** Whether it was there before this call can have made it. */
  readonly existedBefore: boolean
}

export interface Kind<K extends PaymentKind> {
  readonly idField: 'idPayin' | 'idPayout'
  readonly resource: 'payins' | 'payouts'
  readonly defaults: {
    readonly longestPollMs: number
    /** Undefined: without an end. */
    readonly followForMs: number | undefined
    readonly priority: 'customer' | 'background'
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
  defaults: { longestPollMs: 600_000, followForMs: undefined, priority: 'background' },
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

/** Clocks and time zones differ by less. */
const dayMs = 86_400_000

/** Whether the gateway says that it made a payout a day or more before this moment, on this machine's clock. */
function wasMadeBefore(payout: Payout, atMs: number): boolean {
  const madeAt = timeIn(payout.process.createdAt)
  return madeAt !== undefined && madeAt < atMs - dayMs
}

/** Of a payout that the gateway had before any run of the job asked for it. */
export function notOurs(idPayout: string, { process }: Payin | Payout): IdempotencyConflictError {
  const madeAt = timeIn(process?.createdAt)
  const since = madeAt === undefined ? '' : ` since ${new Date(madeAt).toISOString()}`
  return new IdempotencyConflictError(
    `the gateway has had a payout under this id${since}, and no run of this job has made it, so this job has paid nothing and the account of that payout is not known here; find out who made it: if it is the one that you mean, run this job again, and if not, send this one under a new id.`,
    { idPayout, outcome: 'accepted', status: 409, attempts: 1, differences: [] },
  )
}
