import { Credentials } from './auth/credentials.js'
import { TokenIssuer } from './auth/token-issuer.js'
import { CallbackSender } from './callbacks/sender.js'
import { Clock } from './clock/clock.js'
import { createRandom } from './clock/random.js'
import { Pulse } from './control/changes.js'
import { CallbackFaults } from './faults/callback-faults.js'
import { Faults } from './faults/faults.js'
import { Gateway } from './gateway/endpoints.js'
import { Engine } from './gateway/engine.js'
import { Bank } from './gateway/ledger.js'
import { createLimiter } from './gateway/limiter.js'
import { type Meter, meter } from './gateway/rate-meter.js'
import { RequestLog } from './gateway/request-log.js'
import { createAnswers } from './gateway/response-bodies.js'
import { createRouter } from './gateway/router.js'
import type { SandboxSettings } from './normalise-options.js'
import { Balances } from './payments/balances.js'
import { OwnAddress } from './transports/own-address.js'

/** What a sandbox is made of. */
export interface SandboxParts {
  readonly settings: SandboxSettings
  readonly address: OwnAddress
  readonly clock: Clock
  readonly credentials: Credentials
  readonly tokens: TokenIssuer
  readonly callbacks: CallbackSender
  readonly callbackFaults: CallbackFaults
  readonly bank: Bank
  readonly faults: Faults
  readonly log: RequestLog
  readonly meter: Meter
  readonly pulse: Pulse
  readonly engine: Engine
}

/** Makes the parts and joins them. Each has its own source of chance, so that one does not move the others. */
export function assemble(settings: SandboxSettings): SandboxParts {
  const pulse = new Pulse()
  const measured = meter()
  const chance = (purpose: string) => createRandom(settings.seed, purpose)
  const faultRandom = chance('/faults')
  const address = new OwnAddress()
  const clock = new Clock(settings.clock, settings.startAt)
  const balances = new Balances(settings.balances)
  const faults = new Faults(faultRandom)
  const credentials = new Credentials(settings)
  const tokens = new TokenIssuer(clock, chance('/tokens'))
  const callbacks = new CallbackSender(
    {
      deliver: settings.deliver,
      body: settings.callbackBody,
      tries: settings.callbackTries,
      retryAfterMs: settings.callbackRetryAfterMs,
      timeoutMs: settings.callbackTimeoutMs,
      maxLogged: settings.maxLogged,
      isOwn: (url) => address.covers(url),
      pulse,
    },
    clock,
  )
  const callbackFaults = new CallbackFaults(callbacks)
  clock.waitsFor(() => callbackFaults.idle())
  const bank = new Bank(settings, { clock, random: chance('/payments'), callbacks, callbackFaults, balances })
  const log = new RequestLog(settings.maxLogged, pulse)
  const { channelName, merchantCode, tokenField, tokenFormat, maxValiditySecs } = settings
  const gateway = new Gateway({
    ...{ clock, balances, bank, credentials, tokens, answers: createAnswers(settings) },
    ...{ channelName, merchantCode, tokenField, tokenFormat, maxValiditySecs },
  })
  const engine = new Engine({
    ...{ bank, callbackFaults, clock, faults, gateway, log, tokens },
    limiter: measured.measure(createLimiter(settings.limiter, settings.rateLimit)),
    random: faultRandom,
    retryAfter: settings.retryAfter,
    errorFormat: settings.errorFormat,
    strictness: settings.strictness,
    router: createRouter(settings.basePath, settings.customerAccountPath),
  })
  return {
    ...{
      settings,
      address,
      clock,
      credentials,
      tokens,
      callbacks,
      callbackFaults,
      bank,
      faults,
      log,
      pulse,
      engine,
    },
    meter: measured,
  }
}
