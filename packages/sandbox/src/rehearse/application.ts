/** How an action was answered. */
export interface ActionResult {
  /** Whether it went well, as far as the person who did it can see. */
  readonly isDone: boolean
  /** In a few words without anything of a customer's, such as `answered 502`. */
  readonly says: string
}

/** `nothing`: nothing that can be understood. */
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

/** A merchant's application: something to do, and perhaps something to ask and to restart. */
export interface RehearsalApplication {
  /** Again with the same number when a person tries again. A rejection counts as an action that failed. */
  action(order: number, signal: AbortSignal): Promise<ActionResult>
  /** Such as a paid order before its refund. Nothing goes wrong, and what it pays is paid before `action` begins. */
  before?(order: number, signal: AbortSignal): Promise<ActionResult>
  /** Asks whether the order is paid. Without it only the gateway is asked. */
  status?(order: number, signal: AbortSignal): Promise<ReadStatus>
  /** Kills it and starts it again, with a later clock where that is asked for; resolves to why it could not be killed. */
  restart?(signal: AbortSignal, laterMs?: number): Promise<string | undefined>
  /** How the application has ended by itself, such as `exit code 1`; undefined while it runs. */
  ended?(): Promise<string | undefined>
  /** Whether the action is the application itself, a command, so that ending the action kills it. */
  readonly actionIsProgram?: boolean
  /** What the action is, as somebody would write it: a refund may go to an account that it names. Nobody is shown it. */
  readonly actionText?: string
}
