import { type FieldsOf, milliseconds } from './fault-field.js'

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

/** What the sandbox knows of one kind of fault of a callback, beside what it does. */
export interface CallbackFaultKind<Action> {
  /** What the page calls it. */
  readonly label: string
  readonly fields: FieldsOf<Action>
}

/** Every kind of fault of a callback: what `requestFaults` is for requests. `CallbackFaults` does it. */
export const callbackFaults: {
  readonly [Kind in CallbackFaultAction['kind']]: CallbackFaultKind<
    Extract<CallbackFaultAction, { kind: Kind }>
  >
} = {
  missing: { label: 'A callback is never sent', fields: {} },
  twice: { label: 'A callback is sent twice', fields: {} },
  late: {
    label: 'A callback is sent late',
    fields: { ms: milliseconds({ label: 'Late by', value: 10_000 }) },
  },
  swapped: { label: 'A callback comes after the next one', fields: {} },
}
