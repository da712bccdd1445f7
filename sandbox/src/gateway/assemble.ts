import { Credentials } from './auth/credentials.js'
import { TokenIssuer } from './auth/token-issuer.js'
import { Forwarder } from './callbacks/forwarder.js'
import { CallbackSender } from './callbacks/sender.js'
import { Clock } from './clock/clock.js'
import { createRandom } from './clock/random.js'
import { AdjustableLimiter } from './engine/adjustable-limiter.js'
import { Endpoints } from './engine/endpoints.js'
import { Engine } from './engine/engine.js'
import { Ledger } from './engine/ledger.js'
import { playedBodies } from './engine/played-bodies.js'
import { createRateMeter, type RateMeter } from './engine/rate-meter.js'
import { RequestLog } from './engine/request-log.js'
import { createResponseBodies } from './engine/response-bodies.js'
import { createRouter } from './engine/router.js'
import { CallbackFaults } from './faults/callback-faults.js'
import { Faults } from './faults/faults.js'
import { Changes } from './memory/changes.js'
import type { SandboxSettings } from './normalise-options.js'
import { Balances } from './payments/balances.js'
import { callbackContent, callbackForm } from './profile/callback-form.js'
import { OwnAddress } from './transports/own-address.js'

/** What a sandbox is made of. */
export interface SandboxParts {
  readonly settings: SandboxSettings
  readonly address: OwnAddress
  readonly clock: Clock
  readonly credentials: Credentials
  readonly tokens: TokenIssuer
  readonly forwarder: Forwarder
  readonly callbacks: CallbackSender
  readonly callbackFaults: CallbackFaults
  readonly ledger: Ledger
  readonly faults: Faults
  readonly log: RequestLog
  readonly meter: RateMeter
  readonly changes: Changes
  readonly engine: Engine
  readonly endpoints: Endpoints
  readonly balances: Balances
  readonly limiter: AdjustableLimiter
}

/**
 * Makes the parts and joins them. Each part that draws random numbers has a source of its own: one more token
 * does not change which requests meet a fault.
 */
export function assemble(settings: SandboxSettings): SandboxParts {
  const { profile } = settings
  const changes = new Changes()
  const onChange = () => changes.notify()
  const rateMeter = createRateMeter()
  const randomFor = (purpose: string) => createRandom(settings.seed, purpose)
  const faultRandom = randomFor('/faults')
  const address = new OwnAddress()
  const clock = new Clock(settings.clock, settings.startAt)
  clock.whenMoved(onChange)
  const limiter = new AdjustableLimiter({ kind: settings.limiter, limit: settings.rateLimit }, onChange)
  const balances = new Balances(settings.balances)
  const faults = new Faults(faultRandom, onChange)
  const credentials = new Credentials(settings)
  const tokens = new TokenIssuer(clock, randomFor('/tokens'), profile?.tokens?.statesItsEnd ?? true)
  const forwarder = new Forwarder(settings.deliver)
  const callbacks = new CallbackSender(
    {
      deliver: forwarder.deliver,
      body:
        settings.callbackBody ?? (profile?.callbacks === undefined ? () => ({}) : callbackContent(profile)),
      form: callbackForm(profile),
      gapsMs: settings.callbackGapsMs,
      tries: settings.callbackTries,
      retryAfterMs: settings.callbackRetryAfterMs,
      timeoutMs: settings.callbackTimeoutMs,
      maxLogged: settings.maxLogged,
      isOwn: (url) => address.covers(url),
      onChange,
    },
    clock,
  )
  const callbackFaults = new CallbackFaults(callbacks, onChange)
  clock.afterEachTimer(() => callbackFaults.idle())
  const ledger = new Ledger(settings, {
    clock,
    random: randomFor('/payments'),
    callbacks,
    callbackFaults,
    balances,
  })
  const log = new RequestLog(settings.maxLogged, () => clock.monotonic(), onChange)
  const { channelName, merchantCode, tokenField, tokenFormat, maxValiditySecs, mistakes } = settings
  const bodies = createResponseBodies(settings)
  const matchesDecoded = profile?.tokens?.idsInOperations === 'decoded'
  const endpoints = new Endpoints({
    clock,
    balances,
    ledger,
    credentials,
    tokens,
    bodies: profile === undefined ? bodies : playedBodies(bodies, profile, settings),
    matchesDecoded,
    channelName,
    merchantCode,
    tokenField,
    tokenFormat,
    maxValiditySecs,
    mistakes,
    listed: {
      payinMethods: settings.payinMethods,
      operators: settings.paymentOperators.map(({ code }) => code),
      hiddenOperators: settings.magicAmounts.flatMap(({ operatorCode }) => operatorCode ?? []),
      balances,
    },
  })
  const engine = new Engine({
    ledger,
    callbackFaults,
    clock,
    faults,
    endpoints,
    log,
    tokens,
    limiter: rateMeter.measure(limiter),
    random: faultRandom,
    onExchange: settings.onExchange,
    retryAfter: settings.retryAfter,
    errorFormat: settings.errorFormat,
    profile,
    strictness: settings.strictness,
    router: createRouter(settings.basePath, settings.customerAccountPath),
  })
  return {
    settings,
    address,
    clock,
    credentials,
    tokens,
    forwarder,
    callbacks,
    callbackFaults,
    ledger,
    faults,
    log,
    changes,
    engine,
    endpoints,
    balances,
    limiter,
    meter: rateMeter,
  }
}
