import { randomBytes } from 'node:crypto'
import { jsonOf } from '../client/input/json.js'
import { isObject } from '../client/input/own.js'
import { required } from '../client/input/reader.js'
import type { SharedToken, TokenClaim, TokenStore } from '../index.js'
import { type EncryptionKey, encryptionKeys, encryptionKeysRow, Sealer } from './seal.js'
import type { SharedText } from './shared-text.js'

/** How a store of tokens encrypts. */
export interface TokenEncryptionOptions {
  /**
   * Keys of 32 random bytes for AES-256-GCM, in base64, hex or as bytes. The first encrypts, all decrypt, so that
   * they can be changed without a stop: add the new one behind the old one everywhere, then put it first.
   */
  encryptionKeys: readonly EncryptionKey[]
}

export const encryptionRows = { encryptionKeys: required(encryptionKeysRow) }

/** What is kept of a key, as JSON. Times are the store's own, in milliseconds since 1970. */
interface Entry {
  readonly stored?: { readonly sealed: string; readonly endsAt: number } | undefined
  readonly claimed?: { readonly claim: string; readonly until: number } | undefined
}

/** No entry is so long, so no more is read of what is kept: what is cut is none. */
const mostRead = 32_768
/** A claim that lasts longer can't be true: the store's clock was set back. */
const longestClaimMs = 60_000
/** So often somebody else may change an entry between its reading and its writing. */
const mostTries = 20

/** A store of tokens over texts, of which whoever keeps them can read none. The sealed text is the version. */
export function sealedTokenStore(
  textOf: (key: string) => SharedText,
  keys: readonly EncryptionKey[],
): TokenStore {
  const sealer = new Sealer(encryptionKeys(keys))

  /** What is to be kept in place of an entry; without one, it stays. */
  type Change<T> = (before: Entry | undefined, now: number) => { readonly entry?: Entry; readonly result: T }

  /** Reads an entry, and writes what becomes of it unless another process was quicker: then once more. */
  async function change<T>(key: string, changed: Change<T>): Promise<T> {
    const kept = textOf(key)
    for (let tries = 1; tries <= mostTries; tries++) {
      const reading = await kept.read(mostRead)
      const { now } = reading
      const before = reading.text === undefined ? {} : readEntry(reading.text)
      const { entry, result } = changed(before, now)
      if (entry === undefined) return result
      const keptMs = Math.max(1, (entry.stored?.endsAt ?? 0) - now, (entry.claimed?.until ?? 0) - now)
      if (await kept.swap(reading, JSON.stringify({ v: 1, ...entry }), keptMs)) return result
    }
    throw new Error(`what is kept in ${kept.name} could not be changed in time`)
  }

  return {
    claim(key, { unless, forMs }) {
      const name = randomBytes(9).toString('base64url')
      return change<TokenClaim>(key, (before, now) => {
        const { stored, claimed } = before ?? {}
        const isWanted = stored !== undefined && stored.sealed !== unless && stored.endsAt > now
        const shared = isWanted ? readShared(sealer.open(stored.sealed, key)) : undefined
        if (isWanted && shared !== undefined) {
          const remainingMs = stored.endsAt - now
          return { result: { state: 'stored', ...shared, remainingMs, version: stored.sealed } }
        }
        // Torn, foreign, or sealed with a key that has gone: as good as none.
        const unreadable = before === undefined || isWanted
        // A connection that broke has sent it once more, and only the second answer came.
        if (claimed?.claim.startsWith(`${name}.`)) {
          return { result: { state: 'claimed', claim: claimed.claim, unreadable } }
        }
        const busyMs = (claimed?.until ?? 0) - now
        if (busyMs > 0 && busyMs <= longestClaimMs) return { result: { state: 'busy' } }
        const claim = `${name}.${now}`
        const entry = { stored, claimed: { claim, until: now + Math.ceil(forMs) } }
        return { entry, result: { state: 'claimed', claim, unreadable } }
      })
    },
    put(key, claim, token) {
      const sealed = sealer.seal(JSON.stringify(token), key)
      // A claim is `NAME.TIME`: a life counts from when it began.
      const endsAt = Number(claim.slice(claim.lastIndexOf('.') + 1)) + token.lifetimeMs
      return change(key, (before) => ({
        entry: { stored: { sealed, endsAt }, claimed: otherThan(claim, before) },
        result: sealed,
      }))
    },
    release: (key, claim) =>
      change(key, (before) => {
        const isOurs = before?.claimed?.claim === claim
        return { ...(isOurs ? { entry: { stored: before.stored } } : {}), result: undefined }
      }),
    remove: (key, version) =>
      change(key, (before) => {
        const isThis = before?.stored?.sealed === version
        return { ...(isThis ? { entry: { claimed: before.claimed } } : {}), result: undefined }
      }),
  }
}

/** The claim of somebody else, if there is one. */
function otherThan(claim: string, before: Entry | undefined): Entry['claimed'] {
  return before?.claimed?.claim === claim ? undefined : before?.claimed
}

/** Undefined for what is no entry of ours, whoever wrote it. */
function readEntry(text: string): Entry | undefined {
  const read = jsonOf(text)
  if (!isObject(read) || read.v !== 1) return undefined
  const { stored, claimed } = read
  const isStored = isObject(stored) && typeof stored.sealed === 'string' && isTime(stored.endsAt)
  const isClaimed = isObject(claimed) && typeof claimed.claim === 'string' && isTime(claimed.until)
  if ((stored !== undefined && !isStored) || (claimed !== undefined && !isClaimed)) return undefined
  return {
    ...(isStored ? { stored: { sealed: String(stored.sealed), endsAt: Number(stored.endsAt) } } : {}),
    ...(isClaimed ? { claimed: { claim: String(claimed.claim), until: Number(claimed.until) } } : {}),
  }
}

/** A time that a store can keep a text until: one that a `Date` can show. */
function isTime(ms: unknown): boolean {
  return typeof ms === 'number' && Math.abs(ms) <= 8.64e15
}

function readShared(text: string | undefined): SharedToken | undefined {
  const read = jsonOf(text ?? '')
  if (!isObject(read)) return undefined
  const { token, lifetimeMs } = read
  return typeof token === 'string' && typeof lifetimeMs === 'number' ? { token, lifetimeMs } : undefined
}
