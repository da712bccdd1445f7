import type { KeyObject } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { ConfigurationError } from './errors.js'
import { argument, check, endSentence } from './input/check.js'
import { type PrivateKeyInput, parsePrivateKey } from './input/private-key.js'
import { jsonOf } from './input/values.js'
import { damageOfVariable } from './input/variable.js'
import * as z from './input/zod.js'
import type { ClientCredential, ClientOptions, ClientSettings, GatewayEnvironment } from './options.js'
import { clientOptions, variables } from './settings/client-options.js'

export function optionsFromEnv(overrides: Partial<ClientOptions>, env: GatewayEnvironment): ClientOptions {
  if (typeof overrides !== 'object' || overrides === null) {
    throw new ConfigurationError('the options of the client must be an object.')
  }
  const options = { ...overrides, ...optionsIn(env, overrides) }
  const { baseUrl, merchantCode } = options
  if (baseUrl === undefined) {
    throw missing(
      'GATEWAY_BASE_URL',
      'baseUrl',
      '; without a gateway, "npx merchant-gateway-sandbox" starts one on this machine and prints what to set',
    )
  }
  if (merchantCode === undefined) throw missing('GATEWAY_MERCHANT_CODE', 'merchantCode')
  return withCredential({ ...options, baseUrl, merchantCode }, env)
}

/** A credential of the environment must not join the caller's own. */
const credentials = ['privateKey', 'privateKeyPassphrase', 'merchantSecret']

function optionsIn(env: GatewayEnvironment, given: Partial<ClientOptions>): Partial<ClientSettings> {
  const found: Partial<ClientSettings> = {}
  for (const [option, schema] of Object.entries(clientOptions)) {
    const name = variables.get(schema)
    const isGiven = Reflect.get(given, option) !== undefined
    if (name === undefined || isGiven || credentials.includes(option)) continue
    const value = textOrJson(env, name, schema)
    if (value !== undefined) Reflect.set(found, option, checked(schema, value, name, option))
  }
  return found
}

function textOrJson(env: GatewayEnvironment, name: keyof GatewayEnvironment, schema: z.Schema): unknown {
  const text = filled(env, name)?.trim() ?? ''
  const json = jsonOf(text)
  const isText = json === undefined || json === null || typeof json === 'string'
  return isText || z.safeParse(schema, text).success ? variable(env, name) : json
}

function checked(schema: z.Schema, value: unknown, name: string, option: string): unknown {
  const refuse = (place: string, why: string) =>
    new ConfigurationError(endSentence(`${place} ${why}`, '.'), { option })
  return check(argument('a variable', { [name]: schema }), { [name]: value }, refuse)[name]
}

/**
 * The private key that the environment names, as {@link GatewayClient.fromEnv} reads it: for programs that have the key
 * and no client, such as a signer. Undefined where the environment names none.
 *
 * @throws naming what is wrong with the variables or the key ({@link ConfigurationError}).
 * @example
 * const key = privateKeyFromEnv()
 */
export function privateKeyFromEnv(env: GatewayEnvironment = process.env): KeyObject | undefined {
  const key = privateKeyFrom(env)
  if (key === undefined) return undefined
  return parsePrivateKey(key, variable(env, 'GATEWAY_PRIVATE_KEY_PASSPHRASE'), (why) =>
    wrongKey(`the private key of the environment ${why}.`),
  )
}

function withCredential(
  options: ClientSettings & Partial<ClientCredential>,
  env: GatewayEnvironment,
): ClientOptions {
  if (options.signer !== undefined) return { ...options, signer: options.signer }
  if (options.merchantSecret !== undefined) return { ...options, merchantSecret: options.merchantSecret }
  if (options.privateKey !== undefined) return { ...options, privateKey: options.privateKey }
  const { privateKey: _key, signer: _signer, merchantSecret: _secret, ...rest } = options
  const { privateKeyPassphrase = variable(env, 'GATEWAY_PRIVATE_KEY_PASSPHRASE'), ...others } = rest
  const key = privateKeyFrom(env)
  if (key !== undefined) return { ...others, privateKey: key, privateKeyPassphrase }
  const secret = variable(env, 'GATEWAY_MERCHANT_SECRET')
  if (secret !== undefined) return { ...others, merchantSecret: secret }
  throw missing('GATEWAY_PRIVATE_KEY (or GATEWAY_PRIVATE_KEY_FILE)', 'privateKey')
}

function privateKeyFrom(env: GatewayEnvironment): PrivateKeyInput | undefined {
  const key = filled(env, 'GATEWAY_PRIVATE_KEY')
  if (/-----(?:BEGIN|END) /.test(filled(env, 'GATEWAY_PRIVATE_KEY_FILE') ?? '')) throw notAPath()
  const file = variable(env, 'GATEWAY_PRIVATE_KEY_FILE')
  if (key !== undefined && file !== undefined) {
    throw wrongKey(
      'GATEWAY_PRIVATE_KEY and GATEWAY_PRIVATE_KEY_FILE are both set; unset one, since only one key can sign.',
    )
  }
  if (file === undefined) return key
  return contentOf(file)
}

const unreadable =
  'could not be read; check its permissions and the path, which starts at the working directory unless it is absolute'

const unread: Readonly<Partial<Record<string, string>>> = {
  NOT_A_FILE: 'is a pipe or a device, which may never end; name a file',
  TOO_LONG: 'is longer than 1 MiB, so it is another file',
}
const mostFileBytes = 1024 * 1024

function contentOf(file: string): Buffer {
  try {
    // Before it is opened: a pipe that nobody writes to holds up whoever opens it.
    const stats = statSync(file)
    if (stats.isFile() && stats.size <= mostFileBytes) return readFileSync(file)
    const code = stats.isFile() ? 'TOO_LONG' : stats.isDirectory() ? 'EISDIR' : 'NOT_A_FILE'
    throw Object.assign(new Error(code), { code })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    // What every RSA key begins with in base64.
    if (code === 'ENAMETOOLONG' || /^\W*MII/.test(file)) throw notAPath()
    // Node's own error repeats the path, and somebody may have put the key there.
    const cause = Object.assign(new Error(code), { code })
    throw wrongKey(`the file that GATEWAY_PRIVATE_KEY_FILE names ${unread[code] ?? unreadable}.`, cause)
  }
}

function notAPath(): ConfigurationError {
  return wrongKey('GATEWAY_PRIVATE_KEY_FILE holds the key itself and not a path; use GATEWAY_PRIVATE_KEY.')
}

function wrongKey(sentence: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(sentence, { option: 'privateKey' }, cause)
}

/** An empty variable is none. What a shell or a file of variables leaves in it by mistake is refused by its name. */
function variable(env: GatewayEnvironment, name: keyof GatewayEnvironment): string | undefined {
  const value = filled(env, name)?.trim()
  if (value === undefined) return undefined
  const damage = damageOfVariable(value)
  if (damage !== undefined) throw damaged(name, damage)
  return value
}

function filled(env: GatewayEnvironment, name: keyof GatewayEnvironment): string | undefined {
  const value = env[name]
  return value === undefined || value.trim() === '' ? undefined : value
}

function damaged(name: keyof GatewayEnvironment, why: string): ConfigurationError {
  const words = name.replace(/^GATEWAY_|_FILE$/g, '').toLowerCase()
  const option = words.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return new ConfigurationError(`${name} ${why}.`, { option })
}

function missing(name: string, option: string, hint = ''): ConfigurationError {
  const message = `${name} is not set in the environment, and no option ${option} was given${hint}.`
  return new ConfigurationError(message, { option })
}
