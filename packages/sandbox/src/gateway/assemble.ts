import { Credentials } from './auth/credentials.js'
import { TokenIssuer } from './auth/token-issuer.js'
import { Forwarder } from './callbacks/forwarder.js'
import { CallbackSender } from './callbacks/sender.js'
import { Clock } from './clock/clock.js'
import { createRandom } from './clock/random.js'
import { Endpoints } from './engine/endpoints.js'
import { Engine } from './engine/engine.js'
import { Ledger } from './engine/ledger.js'
import { AdjustableLimiter } from './engine/limiter.js'
import { RequestLog } from './engine/request-log.js'
import { createResponseBodies } from './engine/response-bodies.js'
import { CallbackFaults, Faults } from './faults/armed-faults.js'
import type { SandboxSettings } from './normalise-options.js'
import { Balances } from './payments/balances.js'

export type SandboxParts = ReturnType<typeof assemble>

/** Each part draws random numbers of its own: one more token does not change which requests meet a fault. */
export function assemble(settings: SandboxSettings) {
  const changes = { count: 0 }
  const onChange = () => {
    changes.count += 1
  }
  const randomFor = (purpose: string) => createRandom(settings.seed, purpose)
  const faultRandom = randomFor('/faults')
  const clock = new Clock(settings.clock, settings.startAt)
  clock.whenMoved(onChange)
  const limiter = new AdjustableLimiter({ kind: settings.limiter, limit: settings.rateLimit }, onChange)
  const balances = new Balances(settings.balances)
  const faults = new Faults(faultRandom, onChange)
  const credentials = new Credentials(settings)
  const tokens = new TokenIssuer(clock, randomFor('/tokens'))
  const forwarder = new Forwarder(settings.deliver)
  const callbacks = new CallbackSender(
    {
      deliver: forwarder.deliver,
      body: settings.callbackBody ?? (() => ({})),
      tries: settings.callbackTries,
      retryAfterMs: settings.callbackRetryAfterMs,
      timeoutMs: settings.callbackTimeoutMs,
      maxLogged: settings.maxLogged,
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
  const endpoints = new Endpoints(settings, {
    clock,
    balances,
    ledger,
    credentials,
    tokens,
    bodies: createResponseBodies(settings),
  })
  const engine = new Engine(settings, {
    ledger,
    callbackFaults,
    clock,
    faults,
    endpoints,
    log,
    tokens,
    limiter,
    random: faultRandom,
  })
  return {
    settings,
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
    onChange,
    engine,
    endpoints,
    balances,
    limiter,
  }
}

type ResettableParts = Pick<
  SandboxParts,
  'balances' | 'callbackFaults' | 'callbacks' | 'clock' | 'endpoints' | 'faults' | 'ledger' | 'log'
>

export function disarmAll({ faults, callbackFaults, clock }: ResettableParts): void {
  faults.clear()
  callbackFaults.clear()
  clock.skew(0)
}

/** Forgets payments, callbacks, logs and faults. What the clock shows, the limiter and the tokens stay. */
export function reset(parts: ResettableParts): void {
  disarmAll(parts)
  parts.ledger.clear()
  parts.callbacks.forgetWaiting()
  parts.callbacks.clearLog()
  parts.log.clear()
  parts.endpoints.forgetFirstCreates()
  parts.balances.reset()
}
