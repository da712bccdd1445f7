import { CommandFailed } from '../../../src/cli/exit-codes.js'
import { readText } from '../../../src/cli/files.js'
import type { Io } from '../../../src/cli/io.js'
import { publicKeyOf } from '../../../src/cli/keys.js'
import { profileIn } from '../../../src/cli/profile-in.js'
import { jsonLine } from '../../../src/cli/text.js'
import { isObject } from '../../../src/client/input/own.js'
import type { SandboxExchange, SandboxOptions } from '../index.js'
import { exchangeFacts, exchangeLine } from './exchange-line.js'

/** What of the command line becomes an option of the sandbox. */
export interface SandboxFlags {
  readonly options?: string
  readonly profile?: string
  readonly seed?: string
  readonly merchantCode?: string
  readonly publicKey?: readonly string[]
  readonly strictness?: NonNullable<SandboxOptions['strictness']>
  readonly limiter?: NonNullable<SandboxOptions['limiter']>
  readonly rateLimit?: number | false
  readonly settleAfter?: number | false
  readonly clock?: 'virtual'
  readonly timestampUnit?: 'seconds' | 'milliseconds'
  readonly log?: true
  readonly json?: true
}

/**
 * A clock that is moved by hand. Programs sign by their own clocks, which go on; and a limit would refuse what
 * comes after the first ten requests until somebody moves the clock.
 */
const standingStill = {
  clock: 'virtual',
  timestampToleranceSecs: Number.MAX_SAFE_INTEGER,
  rateLimit: false,
} as const satisfies SandboxOptions

/** The options of the file, and above them those of the line. */
export function sandboxOptions(flags: SandboxFlags, io: Pick<Io, 'out' | 'paint'>): SandboxOptions {
  const {
    seed,
    merchantCode,
    publicKey,
    strictness,
    limiter,
    rateLimit,
    settleAfter,
    timestampUnit,
    log,
    json,
  } = flags
  const file = flags.options === undefined ? {} : optionsOf(readText(flags.options))
  const profile = flags.profile === undefined ? {} : { profile: profileIn(flags.profile, '--profile') }
  const clock = flags.clock ?? file.clock
  const onExchange = (exchange: SandboxExchange) =>
    io.out(json === true ? jsonLine(exchangeFacts(exchange)) : exchangeLine(exchange, io.paint))
  return {
    ...(clock === 'virtual' ? standingStill : {}),
    ...file,
    ...profile,
    ...(clock === undefined ? {} : { clock }),
    ...(publicKey === undefined
      ? {}
      : { publicKeys: publicKey.map((name) => publicKeyOf(readText(name), name)) }),
    ...(seed === undefined ? {} : { seed }),
    ...(merchantCode === undefined ? {} : { merchantCode }),
    ...(strictness === undefined ? {} : { strictness }),
    ...(limiter === undefined ? {} : { limiter }),
    ...(settleAfter === undefined ? {} : { settleAfterMs: settleAfter }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(timestampUnit === undefined ? {} : { timestampUnit }),
    ...(log === undefined ? {} : { onExchange }),
  }
}

/**
 * What a file of JSON says; `createSandbox` checks it. JSON has no word for some of it: `startAt` may be a date as
 * text, and `callbackBody` is the content of every callback itself.
 */
function optionsOf(text: string): SandboxOptions {
  const given = parsed(text)
  if (!isObject(given)) throw new CommandFailed('--options must name a file with an object of JSON.')
  const { startAt, callbackBody } = given
  const options: SandboxOptions = Object.assign(
    Object.create(null),
    given,
    typeof startAt === 'string' ? { startAt: new Date(startAt) } : {},
    callbackBody === undefined ? {} : { callbackBody: () => callbackBody },
  )
  return options
}

/** What `make` returns; what it says of a wrong option is said of the line. */
export function withSentence<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new CommandFailed(message.replace(/^createSandbox: /, '--options: '))
  }
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
