/** The two kinds of payment. Everything that differs between them on the wire follows from these. */
export type PaymentKind = 'payin' | 'payout'

/** The field that holds the id, in requests, responses and errors. */
export const idFieldOf = { payin: 'idPayin', payout: 'idPayout' } as const
