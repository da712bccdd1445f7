/** A slot of this process, on the store's clock: not used before `from`, nor after `usedBy`. */
export interface Slot {
  /** How the store knows it. */
  readonly grant: number
  readonly from: number
  readonly usedBy: number
  /** The ledger that it stands in. */
  readonly ledger: number
  /** Whether it was reserved so far ahead that a store which forgets it would give it away again before it is due. */
  readonly isFar: boolean
}
