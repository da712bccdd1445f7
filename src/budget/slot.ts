/** A slot of this process, on the store's clock: not used before `from`, nor after `usedBy`. */
export interface Slot {
  /** How the store knows it. */
  readonly grant: number
  readonly from: number
  readonly usedBy: number
}
