import type {
  AnyGatewayError,
  FoundPayinMethod,
  GatewayClient,
  Outcome,
  Payin,
  PayinCreateInput,
  PaymentKind,
  Payout,
  PayoutCreateInput,
} from '../index.js'

/** What of a client a job needs: `payins` or `payouts`. */
export type PaymentJobClient<K extends PaymentKind> = K extends 'payin'
  ? {
      /** Creates and looks up. */
      readonly payins: Pick<GatewayClient['payins'], 'create' | 'retrieve'>
    }
  : {
      /** Creates and looks up. */
      readonly payouts: Pick<GatewayClient['payouts'], 'create' | 'retrieve'>
    }

/** The id of a payment under the name of its kind. */
export type PaymentIdOf<K extends PaymentKind> = K extends 'payin'
  ? {
      /** Your id of the payin. */
      readonly idPayin: string
    }
  : {
      /** Your id of the payout. */
      readonly idPayout: string
    }

/** A payment as the gateway shows it: `Payin` or `Payout`. */
export type PaymentOf<K extends PaymentKind> = K extends 'payin' ? Payin : Payout

/** A request of `create`: `PayinCreateInput` or `PayoutCreateInput`. */
export type PaymentInputOf<K extends PaymentKind> = K extends 'payin' ? PayinCreateInput : PayoutCreateInput

/** A payment whose id is yours, so that every run of its job asks for the same one. */
export type PaymentToSend<K extends PaymentKind> = PaymentInputOf<K> & PaymentIdOf<K>

/** Finds the request of a payment by its id, for example in your database; undefined where there is none. */
export type LoadPayment<K extends PaymentKind> = (
  id: string,
) => PromiseLike<PaymentInputOf<K> | undefined> | PaymentInputOf<K> | undefined

/** A payment of which only the id is kept: the rest is loaded when it is to be sent. */
export type PaymentById<K extends PaymentKind> = PaymentIdOf<K> & {
  /** Finds the rest of it. */
  readonly load: LoadPayment<K>
}

/** What a page needs that waits for a payment: of a payin, how the customer pays it. */
export type CreatedPayment<K extends PaymentKind> = K extends 'payin'
  ? PaymentIdOf<'payin'> & {
      /** How the customer pays: reference, time limit, account, and what else the gateway says. Absent where it shows nothing of it. */
      readonly paymentMethodResponse?: FoundPayinMethod
    }
  : PaymentIdOf<'payout'>

/**
 * What one run of a job hands to the next: small, plain JSON without an account or a name. One that can't be read means
 * that an earlier run may have sent the payment.
 */
export interface PaymentJobState {
  /** Version of this form. */
  readonly v: 1
  /** What comes next: create the payment (again), or look it up until it is final. */
  readonly step: 'create' | 'follow'
  /** What is known after all runs so far: none can have sent it, one may have, or the gateway has it. */
  readonly outcome: Outcome
  /** How often the job had been started by then. */
  readonly starts: number
  /** How many times the present step was tried. */
  readonly tries: number
  /** When it began to be followed, in milliseconds since 1970, where that has an end. */
  readonly followedAt?: number
}

/** What an engine says of the run that it starts. */
export interface PaymentRun {
  /** How often this job was started, this time included: 1 at first, counted on over runs that were lost. */
  readonly starts: number
  /** The state that the run before gave back, as it was stored. */
  readonly state?: unknown
  /** Ends the run early, with `again`. */
  readonly signal?: AbortSignal | undefined
  /** `'customer'` for a run that somebody waits for. Default: `'background'`, but `'customer'` for the create of a payin. */
  readonly priority?: 'customer' | 'background' | undefined
}

/**
 * Why a payment is to be run again: it is accepted and not final (`following`); it may have been accepted
 * (`unanswered`); nothing was sent (`unavailable`), or can be until somebody corrects keys, permissions or addresses
 * (`setup`); the run was ended from outside (`aborted`).
 */
export type AgainReason = 'following' | 'unanswered' | 'unavailable' | 'setup' | 'aborted'

/**
 * Why a payment needs a person. `refused`: by the gateway, and no run can have sent it, so correct or drop it.
 * `conflict`: its id belongs to a payment that asks for something else. `review`: find out at the gateway first, since
 * it was refused after a run that may have sent it, or it is a payout that was there before any run, a payin that the
 * gateway took and doesn't show, or a payment that the client's option `live` is not for.
 */
export type StopReason = 'refused' | 'review' | 'conflict'

/** What an engine is to do after a run. */
export type PaymentVerdict<K extends PaymentKind> =
  | {
      /** Nothing more comes. */
      readonly then: 'done'
      /** The payment as it is now: its status says whether it was paid. */
      readonly payment: PaymentOf<K>
      /** Whether it is final; false for a payin that was followed for `followForMs`, which may still be paid. */
      readonly final: boolean
      /** For a page that waits, from the run that created it or found it created. */
      readonly created?: CreatedPayment<K>
    }
  | {
      /** Another run is wanted. */
      readonly then: 'again'
      /** In how many milliseconds. */
      readonly afterMs: number
      /** What it waits for. */
      readonly because: AgainReason
      /** For the next run. */
      readonly state: PaymentJobState
      /** What went wrong, where something did. It names no account. */
      readonly error?: AnyGatewayError
      /** The payment as it is now, where this run has looked it up. */
      readonly payment?: PaymentOf<K>
      /** For a page that waits, from the run that created it or found it created. */
      readonly created?: CreatedPayment<K>
    }
  | {
      /** A person is wanted. */
      readonly then: 'stop'
      /** What for. */
      readonly because: StopReason
      /** What the gateway or the client said. */
      readonly error: AnyGatewayError
      /** The payout that was there before any run asked for it; `process.createdAt` says since when. */
      readonly payment?: PaymentOf<K>
      /** For a run after a person has looked: it takes such a payout as the one that is meant. */
      readonly state: PaymentJobState
    }

/** One run of a payment's job. It rejects for a mistake in the program and where `load` rejects, never for what the gateway does. */
export type PaymentJob<K extends PaymentKind> = (
  payment: PaymentToSend<K> | PaymentById<K>,
  run: PaymentRun,
) => Promise<PaymentVerdict<K>>

/** Options of `paymentJob`. Durations are in milliseconds. */
export interface PaymentJobOptions {
  /** How long after it was accepted a payment is looked up first. Each wait is twice the one before. Default 5 000. */
  firstPollMs?: number | undefined
  /** The longest wait between two status requests. Default 600 000, ten minutes, for payouts, and 3 600 000, an hour, for payins. */
  longestPollMs?: number | undefined
  /**
   * How long a payment is followed that is not final. Then its job is done, and a callback begins it anew where the
   * engine wakes it. Default for payins 259 200 000, three days; payouts are followed without an end.
   */
  followForMs?: number | undefined
  /** Limit of one run at the gateway, every wait and retry included, in place of the client's. Default 30 000. */
  deadlineMs?: number | undefined
}
