import { optionWords, type Rows, read } from '../../client/input/reader.js'
import { ConfigurationError, type TokenStore } from '../../index.js'
import {
  claimParts,
  type EntryClaim,
  encryptionRows,
  mostRead,
  sealedTokenStore,
  type TokenEncryptionOptions,
  type TokenEntries,
} from '../stores/sealed-token-store.js'
import { type RedisConnection, type RedisStoreOptions, redisRows, redisScript, run } from './connection.js'

/** Options of {@link redisTokenStore}. */
export interface RedisTokenStoreOptions extends RedisStoreOptions, TokenEncryptionOptions {}

const rows = { ...redisRows, ...encryptionRows } satisfies Rows<RedisTokenStoreOptions>

/** Whole milliseconds of the time that all agree about, which is the server's. */
const now = "local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)"
const endClaim = "if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end"

/** KEYS: token, claim. ARGV: the text that is not wanted, a name, how long the claim is good, how much is read. */
const claimScript = redisScript(`
local text = redis.call('GETRANGE', KEYS[1], 0, ARGV[4] - 1)
local isOurs = string.find(text, '^[%w_.-]+$')
if isOurs and text ~= ARGV[1] then return { 'stored', text, redis.call('PTTL', KEYS[1]) } end
${now}
local claim = ARGV[2] .. '.' .. string.format('%.0f', now)
if redis.call('SET', KEYS[2], claim, 'NX', 'PX', ARGV[3]) then return { 'claimed', claim, not isOurs and text ~= '' } end
return { 'busy' }`)

/** KEYS: token, claim. ARGV: the claim, the text, when it ends. */
const putScript = redisScript(`
${now}
local left = math.floor(ARGV[3] - now)
if left > 0 then redis.call('SET', KEYS[1], ARGV[2], 'PX', left) end
${endClaim}`)

/** KEYS: token, claim. ARGV: the claim. */
const releaseScript = redisScript(endClaim)

/** KEYS: token. ARGV: the text. */
const removeScript = redisScript(
  "if redis.call('GETRANGE', KEYS[1], 0, #ARGV[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end",
)

/**
 * Keeps the tokens of clients in Redis, encrypted, so that one token request serves all processes: the option
 * `tokenStore` of a client. Lives are counted by the clock of Redis. Redis 5 or newer.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const tokenStore = redisTokenStore({ connection: new Redis(url), encryptionKeys: [process.env.TOKEN_KEY] })
 * const client = GatewayClient.fromEnv({ tokenStore })
 */
export function redisTokenStore(options: RedisTokenStoreOptions): TokenStore {
  const words = optionWords(ConfigurationError, 'redisTokenStore', 'connection and encryptionKeys')
  const { connection, encryptionKeys, prefix } = read(options, rows, words)
  return sealedTokenStore(redisEntries(connection, prefix), encryptionKeys)
}

function redisEntries(connection: RedisConnection, prefix: string): TokenEntries {
  // In braces what both have in common, so that a cluster keeps them together.
  const tokenKey = (key: string) => `${prefix}:token:{${key}}`
  const keysOf = (key: string) => [tokenKey(key), `${prefix}:token-claim:{${key}}`]
  return {
    async claim(key, unless = '', name, forMs) {
      const args = [unless, name, String(Math.ceil(forMs)), String(mostRead)]
      return readReply(await run(connection, claimScript, keysOf(key), args))
    },
    async put(key, claim, text, lifetimeMs) {
      const endsAt = claimParts(claim).at + lifetimeMs
      await run(connection, putScript, keysOf(key), [claim, text, endsAt.toFixed(0)])
    },
    async release(key, claim) {
      await run(connection, releaseScript, keysOf(key), [claim])
    },
    async remove(key, text) {
      await run(connection, removeScript, [tokenKey(key)], [text])
    },
  }
}

function readReply(reply: unknown): EntryClaim {
  const [state, text, more]: unknown[] = Array.isArray(reply) ? reply : []
  switch (String(state)) {
    case 'stored':
      return { state: 'stored', text: String(text), remainingMs: Number(more) }
    case 'claimed':
      return { state: 'claimed', claim: String(text), unreadable: Number(more) === 1 }
    default:
      return { state: 'busy' }
  }
}
