import type { AnyGatewayError, GatewayClient, Payout, PayoutCreateInput } from '../../index.js'

/** What of a client a job needs. */
export interface PayoutJobClient {
  /** Creates and looks up. */
  readonly payouts: Pick<GatewayClient['payouts'], 'create' | 'retrieve'>
}

/** A payout whose id is yours, so that every run of its job asks for the same one. */
export type PayoutToSend = PayoutCreateInput & {
  /** Your id of the payout. */
  readonly idPayout: string
}

/** A payout of which only the id is kept: the rest is loaded when it is to be sent, and never when it is looked at. */
export interface PayoutById {
  /** Your id of the payout. */
  readonly idPayout: string
  /** Finds the rest of it, for example in your database; undefined when there is no such payout. */
  load(): PromiseLike<PayoutCreateInput | undefined> | PayoutCreateInput | undefined
}

/**
 * What one run of a job hands to the next: small, plain JSON without an account or a name. Keep it as it is; a state
 * that can't be read is taken as "an earlier run may have sent the payout".
 */
export interface PayoutJobState {
  /** Version of this form. */
  readonly v: 1
  /** What comes next: create the payout (again), or look whether it is final. */
  readonly step: 'create' | 'follow'
  /** What the runs so far may have done: sent nothing, perhaps something, or the gateway has the payout. */
  readonly sent: 'no' | 'maybe' | 'accepted'
  /** How often the job had been started when this was written. */
  readonly starts: number
  /** How many times the present step was tried. */
  readonly tries: number
}

/** What an engine says of the run that it starts. */
export interface PayoutRun {
  /** How often this job was started, this time included: 1 at first, counted on over runs that were lost. */
  readonly starts: number
  /** The state that the run before gave back, as it was stored. */
  readonly state?: unknown
  /** Ends the run early, with `again`. */
  readonly signal?: AbortSignal | undefined
  /** `'customer'` for a look that somebody waits for, such as one after a callback. Default `'bulk'`. */
  readonly priority?: 'customer' | 'bulk' | undefined
}

/**
 * Why a payout is to be run again: it is accepted and not final (`following`); it may have been accepted and no
 * usable answer came (`unanswered`); nothing was sent (`unavailable`); nothing was sent, and nothing will be until
 * somebody corrects keys, permissions or addresses (`setup`); the run was ended from outside (`aborted`).
 */
export type AgainReason = 'following' | 'unanswered' | 'unavailable' | 'setup' | 'aborted'

/**
 * Why a payout needs a person: the gateway refused it and no run can have sent it (`refused`: correct it, or drop it);
 * it was refused now, and an earlier run may have sent it, or it was there before any run asked for it, or it is a
 * test payment or a real one and the client's option `live` says otherwise (`look`: find out at the gateway before
 * anything else); its id belongs to a payout that asks for something else (`conflict`).
 */
export type StopReason = 'refused' | 'look' | 'conflict'

/** What an engine is to do after a run. */
export type PayoutVerdict =
  | {
      /** Nothing more comes. */
      readonly then: 'done'
      /** The payout, final: its status says whether it was paid. */
      readonly payout: Payout
    }
  | {
      /** Another run is wanted. */
      readonly then: 'again'
      /** In how many milliseconds. */
      readonly afterMs: number
      /** What it waits for. */
      readonly because: AgainReason
      /** For the next run. */
      readonly state: PayoutJobState
      /** What went wrong, where something did. It names no account. */
      readonly error?: AnyGatewayError
    }
  | {
      /** A person is wanted. */
      readonly then: 'stop'
      /** What for. */
      readonly because: StopReason
      /** What the gateway or the client said. */
      readonly error: AnyGatewayError
      /** The payout that was there before any run asked for it; `process.createdAt` says since when. */
      readonly payout?: Payout
      /** For a run after a person has looked: it takes such a payout as the one that is meant. */
      readonly state: PayoutJobState
    }

/** One run of a payout's job. It rejects for a mistake in the program and for a `load` that rejects, and for nothing that the gateway does. */
export type PayoutJob = (payout: PayoutToSend | PayoutById, run: PayoutRun) => Promise<PayoutVerdict>

/** Options of `payoutJob`. Durations are in milliseconds. */
export interface PayoutJobOptions {
  /** Whether a payout will not change any more; the one that you gave to the client, if you gave one. Default `isFinal`. */
  isFinal?: ((payout: Payout) => boolean) | undefined
  /** How long after it was accepted a payout is looked at first. Each wait is twice the one before. Default 5 000. */
  firstPollMs?: number | undefined
  /** The longest wait between two looks. Default 600 000, ten minutes. */
  longestPollMs?: number | undefined
}
