/** What must never be, and was. */
export interface Violation {
  readonly rule: Rule
  readonly atMs: number
  readonly says: string
}

export type Rule =
  | 'one payment for each order'
  | 'the money and account that were asked for'
  | 'an outcome that is true'
  | 'settled within its deadline'
  | 'ten requests a second'
  | 'a callback is answered when it is dealt with'
  | 'a wait ends with the final status'
  | 'a verdict that is true'
  | 'all is well when the faults are over'
  | 'every order ends'
  | 'nothing is left'
  | 'nothing is thrown that is not ours'
