import type { GatewayClient, Money } from 'merchant-gateway'
import type { Environment } from '../io.js'
import type { NeededOptions, TimestampUnit } from './finding.js'
import type { CheckResult, Gateway } from './gateway.js'

/** What the environment says of the merchant's receiver, as that reads it. */
export interface CallbackSettings {
  readonly secrets: readonly (string | Uint8Array)[]
  /** Empty where there is none. */
  readonly url: string
}

export interface PayCheck {
  readonly money: Money
  /** How long payments are followed that have not ended. */
  readonly waitMs: number
}

export interface Followed {
  /** The same create each time. */
  readonly create: () => Promise<Made>
  readonly look: () => Promise<unknown>
  readonly found: unknown[]
}

export type Made = CheckResult & { readonly value?: { readonly replayed: boolean } }

/** What is known so far. Each check adds what later ones need; what could not be found out is absent. */
export interface Known {
  readonly env: Environment
  readonly needed: NeededOptions
  readonly live?: { readonly idPayin?: string }
  readonly pay?: PayCheck
  /** How token requests say who asks. */
  credential?: 'key' | 'secret'
  hasMerchantCode?: true
  /** What the environment says of token requests. */
  asked?: { readonly timestampUnit: TimestampUnit; readonly tokenValiditySecs: number }
  gateway?: Gateway
  /** To a request without a token. */
  reply?: Response
  /** A client whose token requests are accepted, and the life that it asked for and got. */
  granted?: { readonly client: GatewayClient; readonly validitySecs: number; readonly lifetimeMs: number }
  callbacks?: CallbackSettings
  /** Has found the payin of `--live`. */
  liveClient?: GatewayClient
  payin?: Followed
  payout?: Followed
  /** Resolves to how many seconds the payments were followed. */
  followed?: Promise<number>
}

export type With<Need extends keyof Known> = Known & Required<Pick<Known, Need>>
