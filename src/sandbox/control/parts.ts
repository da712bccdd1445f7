import type { CallbackSender } from '../callbacks/sender.js'
import type { Clock } from '../clock/clock.js'
import type { Faults } from '../faults/faults.js'
import type { Bank } from '../gateway/ledger.js'
import type { Meter } from '../gateway/rate-meter.js'
import type { RequestLog } from '../gateway/request-log.js'
import type { SandboxSettings } from '../normalise-options.js'
import type { Pulse } from './changes.js'

/** What the page looks at and acts on. */
export interface PageParts {
  readonly settings: SandboxSettings
  readonly clock: Clock
  readonly bank: Bank
  readonly log: RequestLog
  readonly callbacks: CallbackSender
  readonly faults: Faults
  readonly meter: Meter
  readonly pulse: Pulse
  /** Where the server was told to listen. */
  readonly host: string | undefined
}
