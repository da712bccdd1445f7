/**
 * What goes wrong with a callback. Delivery rules are a gap in section 6, so a merchant has to live with all.
 */
export type CallbackFaultAction =
  | {
      /** It is never sent. */
      readonly kind: 'missing'
    }
  | {
      /** It is sent two times. */
      readonly kind: 'twice'
    }
  | {
      /** It is sent later; the payment may have moved on by then. */
      readonly kind: 'late'
      /** How much later: milliseconds by the sandbox's clock. */
      readonly ms: number
    }
  | {
      /** It waits until the payment's next callback has been answered, and comes after it. */
      readonly kind: 'swapped'
    }

/** Which callbacks a fault hits. */
export interface CallbackAim {
  /** Only callbacks about payins, or about payouts. */
  readonly kind?: 'payin' | 'payout'
  /** Only callbacks about the payment with this idPayin or idPayout. */
  readonly id?: string
  /** How many callbacks it hits: 1 by default; `Infinity` for all. */
  readonly times?: number
}

/** A fault of callbacks to arm. */
export interface CallbackFaultOptions extends CallbackAim {
  /** What goes wrong. */
  readonly action: CallbackFaultAction
}
