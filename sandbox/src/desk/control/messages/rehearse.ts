/** The JSON between the sandbox and the rehearsals of its page. Types only, because the page is bundled for browsers. */

/** A case as the page offers it. */
export interface OfferedCase {
  readonly name: string
  readonly title: string
  readonly of: 'answer' | 'create' | 'callback' | 'application'
  /** Why it can't be played here; null when it can. */
  readonly impossible: string | null
}

export interface Rehearsed {
  /** Names it in an address; 0 for the history without a fault. */
  readonly key: number
  readonly name: string
  readonly title: string
  /** The endpoint whose answer went wrong, where somebody chose one. */
  readonly route: string | null
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly sentence: string
  readonly payments: readonly { readonly kind: 'payin' | 'payout'; readonly id: string }[]
  readonly history: readonly {
    readonly atMs: number
    readonly who: 'customer' | 'application' | 'gateway'
    readonly text: string
  }[]
}

/** All that the page knows of rehearsals. */
export interface Rehearsals {
  /** What a customer does with the application; null when nobody has said it. */
  readonly act: string | null
  /** The application as the page can name it; null for a command, for a function of somebody's code, or none. */
  readonly named: ApplicationOrder | null
  /** Whether a command rehearses the same again, so that a test for vitest can be made. */
  readonly isRepeatable: boolean
  /** Whether the command line has named the application, and the page can't. */
  readonly isFixed: boolean
  /** Why nothing can be played; null when it can. */
  readonly impossible: string | null
  readonly cases: readonly OfferedCase[]
  /** The case that is being played. */
  readonly playing: string | null
  /** Why the last one could not be played. */
  readonly problem: string | null
  /** The history without a fault. */
  readonly clean: Rehearsed | null
  /** The newest first. */
  readonly results: readonly Rehearsed[]
}

export interface ApplicationOrder {
  /** What goes before the act. */
  readonly before?: string
  readonly act: string
  readonly status?: string
  readonly paid?: string
}

/** A file to be saved. */
export interface Exported {
  readonly fileName: string
  readonly text: string
}
