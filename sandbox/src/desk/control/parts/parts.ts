import type { Credentials } from '../../../gateway/auth/credentials.js'
import type { TokenIssuer } from '../../../gateway/auth/token-issuer.js'
import type { Forwarder } from '../../../gateway/callbacks/forwarder.js'
import type { CallbackSender } from '../../../gateway/callbacks/sender.js'
import type { Clock } from '../../../gateway/clock/clock.js'
import type { AdjustableLimiter } from '../../../gateway/engine/adjustable-limiter.js'
import type { Endpoints } from '../../../gateway/engine/endpoints.js'
import type { Engine } from '../../../gateway/engine/engine.js'
import type { Ledger } from '../../../gateway/engine/ledger.js'
import type { RateMeter } from '../../../gateway/engine/rate-meter.js'
import type { RequestLog } from '../../../gateway/engine/request-log.js'
import type { CallbackFaults } from '../../../gateway/faults/callback-faults.js'
import type { Faults } from '../../../gateway/faults/faults.js'
import type { Changes } from '../../../gateway/memory/changes.js'
import type { SandboxSettings } from '../../../gateway/normalise-options.js'
import type { Balances } from '../../../gateway/payments/balances.js'
import type { RehearsalApplication } from '../../../rehearse/application.js'

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
