import type { GatewayClient } from 'merchant-gateway'
import type { Environment } from '../io.js'
import type { CallbackSettings } from './callbacks.js'
import type { Judged, NeededOptions, TimestampUnit } from './finding.js'
import type { Gateway } from './gateway.js'
import type { Followed, PayCheck } from './pay.js'

/** What is known so far. Each check adds what later ones need; what could not be found out is absent. */
export interface Known {
  readonly env: Environment
  readonly needed: NeededOptions
  /** What `--live` and `--pay` are told. */
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
  /** By how much this machine's clock is ahead of the gateway's. */
  aheadMs?: number
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

/** All that is known, these for certain. */
export type With<Need extends keyof Known> = Known & Required<Pick<Known, Need>>

type Judgement = Judged | undefined | Promise<Judged | undefined>

/** One row of the doctor's table. */
export interface Check {
  readonly name: string
  readonly canJudge: (known: Known) => boolean
  /** Asks, and judges what came back; undefined where there is nothing to say. */
  readonly judge: (known: Known) => Judgement
}

/** @param needs what must be known before it can be judged. */
export function check<Need extends keyof Known = never>(
  name: string,
  needs: readonly Need[],
  judge: (known: With<Need>) => Judgement,
): Check {
  const knows = (known: Known): known is With<Need> => needs.every((need) => known[need] !== undefined)
  return { name, canJudge: knows, judge: (known) => (knows(known) ? judge(known) : undefined) }
}
