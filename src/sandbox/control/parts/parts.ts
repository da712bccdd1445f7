import type { RehearsalApplication } from '../../../rehearse/application.js'
import type { Credentials } from '../../auth/credentials.js'
import type { TokenIssuer } from '../../auth/token-issuer.js'
import type { Forwarder } from '../../callbacks/forwarder.js'
import type { CallbackSender } from '../../callbacks/sender.js'
import type { Clock } from '../../clock/clock.js'
import type { CallbackFaults } from '../../faults/callback-faults.js'
import type { Faults } from '../../faults/faults.js'
import type { AdjustableLimiter } from '../../gateway/adjustable-limiter.js'
import type { Endpoints } from '../../gateway/endpoints.js'
import type { Engine } from '../../gateway/engine.js'
import type { Ledger } from '../../gateway/ledger.js'
import type { RateMeter } from '../../gateway/rate-meter.js'
import type { RequestLog } from '../../gateway/request-log.js'
import type { SandboxSettings } from '../../normalise-options.js'
import type { Balances } from '../../payments/balances.js'
import type { Changes } from './changes.js'

/** What the page shows and acts on. */
export interface PageParts {
  readonly settings: SandboxSettings
  readonly clock: Clock
  readonly ledger: Ledger
  readonly log: RequestLog
  readonly callbacks: CallbackSender
  readonly forwarder: Forwarder
  readonly faults: Faults
  readonly callbackFaults: CallbackFaults
  readonly balances: Balances
  readonly credentials: Credentials
  readonly endpoints: Endpoints
  readonly engine: Engine
  readonly limiter: AdjustableLimiter
  readonly tokens: TokenIssuer
  readonly meter: RateMeter
  readonly changes: Changes
  /** Where the server was told to listen. */
  readonly host: string | undefined
  /** What the page rehearses, where it was named already. */
  readonly application: RehearsalApplication | undefined
  /** Fires when the sandbox is closed. */
  readonly closing: AbortSignal
}
