/** The two kinds of payment. Everything that differs between them on the wire follows from these. */
export type PaymentKind = 'payin' | 'payout'

/** The field that holds the id, in requests, responses and errors. */
export const idFieldOf = { payin: 'idPayin', payout: 'idPayout' } as const

/** The client's methods for it, for logs and traces. */
export const paymentMethods = {
  payin: { create: 'payins.create', retrieve: 'payins.retrieve' },
  payout: { create: 'payouts.create', retrieve: 'payouts.retrieve' },
} as const

/** The same as templates, for messages. */
export const paymentRoutes = {
  payin: { create: 'POST /payins/{idPayin}', retrieve: 'GET /payins/{idPayin}' },
  payout: { create: 'POST /payouts/{idPayout}', retrieve: 'GET /payouts/{idPayout}' },
} as const
