/**
 * What a process wants of the rate limit, and what it gets. Times are those of the store's clock, whole milliseconds
 * since 1970.
 */
export interface Ask {
  /** `'background'` reserves nothing ahead; `'nothing'` only says what the other fields say. */
  readonly want: 'customer' | 'background' | 'nothing'
  /** So many slots in any `windowMs`. */
  readonly slots: number
  readonly windowMs: number
  /** How long the response travels: no slot before that is of any use. */
  readonly leadMs: number
  /** What the ledger showed when this process was last answered; 0 and 0 for a process that never was. */
  readonly knownId: number
  readonly knownCount: number
  /** Should the store have forgotten its slots: how long nobody may get one, as far as this process knows. */
  readonly quietMs: number
  /** The same for a ledger that begins: whoever has slots of the one before may not have asked yet. */
  readonly clearingMs: number
  /** A number of this ask alone: it names the slot that the ask gets. */
  readonly grant: number
  /** For so long after the slot that it asks for this process may use it: until then it counts as not used yet. */
  readonly goodForMs: number
  /** Slots of this process, and when each was used: 0 for one that was not. */
  readonly used: readonly (readonly [grant: number, usedAt: number])[]
  /** A number of this process alone, by which it is called in the line of bulk. */
  readonly process: number
  /** The gateway said 429: nobody gets a slot for so long; 0 for no such news. */
  readonly pauseMs: number
  /** This process went on by itself while the store was away: for so long everybody keeps to a share; 0 if it didn't. */
  readonly returningMs: number
}

export interface Answer {
  readonly now: number
  /** When this ledger was begun: another one than before means that the store has forgotten. */
  readonly id: number
  readonly count: number
  readonly slot: number | undefined
  /** Where bulk gets no slot: when to ask again. */
  readonly comeInMs: number | undefined
  /** For so long each process keeps to its share as well; 0 mostly. */
  readonly sharesMs: number
}
