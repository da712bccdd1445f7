/** A payment operator: a bank, mostly. */
export interface SandboxOperator {
  /** For `paymentMethod.paymentOperatorCode`. */
  readonly code: string
  /** Name to show to customers. */
  readonly name: string
}

/** The operators by default. The names are invented. */
export const defaultOperators: readonly SandboxOperator[] = [
  { code: 'HARBOUR', name: 'Harbour Bank' },
  { code: 'MERIDIAN', name: 'Meridian Savings' },
  { code: 'NORTHGATE', name: 'Northgate Bank' },
]
