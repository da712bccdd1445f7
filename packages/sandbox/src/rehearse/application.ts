/** How an act was answered. */
export interface ActAnswer {
  /** Whether it went well, as far as the person who did it can see. */
  readonly isDone: boolean
  /** In a few words without anything of a customer's, such as `answered 502`. */
  readonly says: string
}

/**
 * What an application says of a cart: that it is paid, that it is not, or nothing that can be understood.
 */
export type CartStatus = 'paid' | 'not paid' | 'nothing'

/** What an application says of a cart, and what that was read from. */
export interface ReadStatus {
  /** What it says. */
  readonly says: CartStatus
  /** Such as `HTTP 200, status is PENDING`: the history shows it, so it must hold nothing of a customer's. */
  readonly read: string
  /** How often the cart was delivered; absent where the application does not show it. */
  readonly delivered?: number
  /** What the application's clock shows, in ms since 1970; NaN or absent where its answer does not say. */
  readonly clockMs?: number
}

/**
 * A merchant's application, as a rehearsal sees it: something to do, and perhaps something to ask and to restart.
 * It is pointed at the sandbox by its base URL, and knows nothing of the rehearsal.
 *
 * @example
 * ```ts
 * const application: RehearsalApplication = {
 *   async act(cart, signal) {
 *     const { ok, status } = await fetch(`http://localhost:3000/orders/${cart}`, { method: 'POST', signal })
 *     return { isDone: ok, says: `answered ${status}` }
 *   },
 * }
 * await sandbox.listen({ page: true, application })
 * ```
 */
export interface RehearsalApplication {
  /**
   * Orders the cart with this number, as a customer or a clerk does; again with the same number when they try
   * again. It should end when the signal fires. A rejection counts as an act that failed.
   */
  act(cart: number, signal: AbortSignal): Promise<ActAnswer>
  /**
   * What has to have happened before a cart is acted upon, such as a paid order before its refund. It goes wrong
   * nowhere: nothing is armed, and what it pays is paid before `act` begins.
   */
  before?(cart: number, signal: AbortSignal): Promise<ActAnswer>
  /** Asks whether the cart is paid. Without it only the gateway is asked. */
  status?(cart: number, signal: AbortSignal): Promise<CartStatus | ReadStatus>
  /**
   * Kills the application as a power cut does, and starts it again; with a clock that is so much later, in ms, where
   * that is asked for. Resolves to why it could not be killed and goes on as it was; to nothing otherwise.
   */
  restart?(signal: AbortSignal, laterMs?: number): Promise<string | undefined>
  /** How the application has ended by itself, such as `exit code 1`; undefined while it runs. */
  ended?(): Promise<string | undefined>
  /** Whether the act is the application itself, a command, so that ending the act kills it. */
  readonly actIsProgram?: boolean
  /** What the act is, as somebody would write it: a refund may go to an account that it names. Nobody is shown it. */
  readonly actText?: string
}
