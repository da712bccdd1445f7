import type { Bank } from '../bank.js'
import type { CallbackSender } from '../callbacks.js'
import type { Clock } from '../clock.js'
import type { Faults } from '../faults.js'
import type { Meter } from '../meter.js'
import type { SandboxSettings } from '../normalise-options.js'
import type { Pulse } from '../pulse.js'
import type { RequestLog } from '../request-log.js'

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
