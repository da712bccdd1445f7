import type { CallbackSender } from '../callbacks/sender.js'
import type { Clock } from '../clock/clock.js'
import type { Faults } from '../faults/faults.js'
import type { Ledger } from '../gateway/ledger.js'
import type { RateMeter } from '../gateway/rate-meter.js'
import type { RequestLog } from '../gateway/request-log.js'
import type { SandboxSettings } from '../normalise-options.js'
import type { Changes } from './changes.js'

/** What the page shows and acts on. */
export interface PageParts {
  readonly settings: SandboxSettings
  readonly clock: Clock
  readonly ledger: Ledger
  readonly log: RequestLog
  readonly callbacks: CallbackSender
  readonly faults: Faults
  readonly meter: RateMeter
  readonly changes: Changes
  /** Where the server was told to listen. */
  readonly host: string | undefined
}
