/** A defect that somebody could make: the source with one thing in it changed. */
export interface Mutant {
  /** Unique; lower case with hyphens. */
  readonly name: string
  /** What it does wrong. */
  readonly says: string
  /** The file, from the root of the repository. */
  readonly file: string
  /** Texts that stand in it exactly once, and what stands there instead. */
  readonly edits: readonly (readonly [search: string, replace: string])[]
  /** Tests that are to find it where the simulation can't. */
  readonly tests?: readonly string[]
}
