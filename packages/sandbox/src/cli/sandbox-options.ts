import { createPublicKey, type KeyObject } from 'node:crypto'
import { isObject, jsonOf } from '../common/json.js'
import type { SandboxExchange, SandboxOptions } from '../index.js'
import { Mask } from '../page/api/mask.js'
import { readText } from './arguments.js'
import { CommandFailed } from './failure.js'
import type { Io } from './io.js'
import { jsonLine, type Paint, printable } from './text.js'

/** What the command line has under the names of the options of the sandbox. */
const sameFlags = [
  'seed',
  'merchantCode',
  'strictness',
  'limiter',
  'rateLimit',
  'clock',
  'timestampUnit',
] as const
type SameFlags = Pick<SandboxOptions, (typeof sameFlags)[number]>

/** What of the command line becomes an option of the sandbox. A flag that is not there has no key. */
export interface SandboxFlags extends SameFlags {
  readonly options?: string
  readonly publicKey?: readonly string[]
  readonly payAfter?: number | false
  readonly log?: true
  readonly json?: true
}

/** Programs sign by their own clocks, which go on; and a limit would refuse all but ten requests. */
const standingStill = {
  clock: 'virtual',
  timestampToleranceSecs: Number.MAX_SAFE_INTEGER,
  rateLimit: false,
} as const satisfies SandboxOptions

export function sandboxOptions(flags: SandboxFlags, io: Pick<Io, 'out' | 'paint'>): SandboxOptions {
  const { options, publicKey, payAfter, log, json } = flags
  const file = options === undefined ? {} : optionsOf(readText(options))
  const onExchange = (exchange: SandboxExchange) =>
    io.out(json === true ? jsonLine(exchangeFacts(exchange)) : exchangeLine(exchange, io.paint))
  const line: SandboxOptions = {
    ...Object.fromEntries(sameFlags.filter((name) => name in flags).map((name) => [name, flags[name]])),
    ...(publicKey && { publicKeys: publicKey.map((name) => publicKeyOf(readText(name), name)) }),
    ...(payAfter !== undefined && { payAfterMs: payAfter }),
    ...(log && { onExchange }),
  }
  const isStill = (line.clock ?? file.clock) === 'virtual'
  return { ...(isStill && standingStill), ...file, ...line }
}

/** JSON has no word for some of it: `startAt` may be a date as text, `callbackBody` is the content itself. */
function optionsOf(text: string): SandboxOptions {
  const file = jsonOf(text)
  if (!isObject(file))
    throw new CommandFailed(
      '--options must name a file with an object of JSON. An example is { "payAfterMs": 5000 }.',
    )
  const { startAt, callbackBody } = file
  return {
    ...file,
    ...(typeof startAt === 'string' && { startAt: new Date(startAt) }),
    ...(callbackBody !== undefined && { callbackBody: () => callbackBody }),
  }
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

/** @throws unless it is a public RSA key: a private one has no business here ({@link CommandFailed}). */
function publicKeyOf(pem: string, file: string): KeyObject {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    throw new CommandFailed(
      `${file} holds a private key. Give the public one, and hand the private one to nobody.`,
    )
  }
  try {
    const key = createPublicKey(pem)
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // OpenSSL's own words help nobody.
  }
  throw new CommandFailed(
    `${file} holds no public RSA key in PEM form. Make one with "openssl pkey -pubout -in PRIVATE-KEY".`,
  )
}

const mostPath = 200
const mask = new Mask([])

/** One line of `sandbox --log`. A path is masked as on the sandbox's page: ids may be shown, secrets may not. */
function exchangeLine(exchange: SandboxExchange, paint: Paint): string {
  const { at, method, path, status, meaning, tookMs, fault } = exchangeFacts(exchange)
  const time = new Date(at).toISOString().slice(11, -1)
  const colour = status !== undefined && status < 400 ? 'green' : 'red'
  const shown = paint(colour, status === undefined ? '---' : String(status))
  const met = fault === undefined ? '' : `, fault ${fault}`
  return `${time} ${printable(`${method} ${path}`)} ${shown} ${printable(meaning)}, ${tookMs} ms${met}`
}

function exchangeFacts({ request, status, meaning, tookMs }: SandboxExchange) {
  const { at, method, path, fault } = request
  return {
    at,
    method: masked(method),
    path: masked(path),
    status,
    meaning: masked(meaning),
    tookMs: Math.round(tookMs),
    fault,
  }
}

function masked(text: string): string {
  const shown = mask.text(text)
  return shown.length > mostPath ? `${shown.slice(0, mostPath)}…` : shown
}
