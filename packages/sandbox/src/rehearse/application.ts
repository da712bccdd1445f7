/** How an action was answered. */
export interface ActionResult {
  /** Whether it went well, as far as the person who did it can see. */
  readonly isDone: boolean
  /** In a few words without anything of a customer's, such as `answered 502`. */
  readonly says: string
}

/**
 * What an application says of an order: that it is paid, that it is not, or nothing that can be understood.
 */
export type OrderStatus = 'paid' | 'not paid' | 'nothing'

/** What an application says of an order, and what that was read from. */
export interface ReadStatus {
  /** What it says. */
  readonly says: OrderStatus
  /** Such as `HTTP 200, status is PENDING`: the history shows it, so it must hold nothing of a customer's. */
  readonly read: string
  /** How often the order was delivered; absent where the application does not show it. */
  readonly delivered?: number
  /** What the application's clock shows, in ms since 1970; NaN or absent where its response does not say. */
  readonly clockMs?: number
}

/**
 * A merchant's application, as a rehearsal sees it: something to do, and perhaps something to ask and to restart.
 * It is pointed at the sandbox by its base URL, and knows nothing of the rehearsal.
 *
 * @example
 * ```ts
 * const application: RehearsalApplication = {
 *   async action(order, signal) {
 *     const { ok, status } = await fetch(`http://localhost:3000/orders/${order}`, { method: 'POST', signal })
 *     return { isDone: ok, says: `answered ${status}` }
 *   },
 * }
 * ```
 */
export interface RehearsalApplication {
  /**
   * Orders the order with this number, as a customer or a clerk does; again with the same number when they try
   * again. It should end when the signal fires. A rejection counts as an action that failed.
   */
  action(order: number, signal: AbortSignal): Promise<ActionResult>
  /**
   * What has to have happened before an order is acted upon, such as a paid order before its refund. It goes wrong
   * nowhere: nothing is armed, and what it pays is paid before `action` begins.
   */
  before?(order: number, signal: AbortSignal): Promise<ActionResult>
  /** Asks whether the order is paid. Without it only the gateway is asked. */
  status?(order: number, signal: AbortSignal): Promise<OrderStatus | ReadStatus>
  /**
   * Kills the application as a power cut does, and starts it again; with a clock that is so much later, in ms, where
   * that is asked for. Resolves to why it could not be killed and goes on as it was; to nothing otherwise.
   */
  restart?(signal: AbortSignal, laterMs?: number): Promise<string | undefined>
  /** How the application has ended by itself, such as `exit code 1`; undefined while it runs. */
  ended?(): Promise<string | undefined>
  /** Whether the action is the application itself, a command, so that ending the action kills it. */
  readonly actionIsProgram?: boolean
  /** What the action is, as somebody would write it: a refund may go to an account that it names. Nobody is shown it. */
  readonly actionText?: string
}
