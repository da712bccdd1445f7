import { randomBytes } from 'node:crypto'
import { jsonOf } from '../../client/input/json.js'
import { isObject } from '../../client/input/own.js'
import { required } from '../../client/input/reader.js'
import type { SharedToken, TokenClaim, TokenStore } from '../../index.js'
import { type EncryptionKey, encryptionKeys, encryptionKeysRow, Sealer } from './seal.js'

/** How a store of tokens encrypts. */
export interface TokenEncryptionOptions {
  /**
   * Keys of 32 random bytes for AES-256-GCM, in base64, hex or as bytes. The first encrypts, all decrypt, so that
   * they can be changed without a stop: add the new one behind the old one everywhere, then put it first.
   */
  encryptionKeys: readonly EncryptionKey[]
}

export const encryptionRows = { encryptionKeys: required(encryptionKeysRow) }

/** What an engine answers: as a {@link TokenClaim}, with a text that it can't read. */
export type EntryClaim =
  | { readonly state: 'stored'; readonly text: string; readonly remainingMs: number }
  | { readonly state: 'claimed'; readonly claim: string; readonly unreadable?: boolean }
  | { readonly state: 'busy' }

/** No sealed token is so long, so an engine reads no more of what it keeps: what is cut opens with no key. */
export const mostRead = 32_768

/** What an engine does: keeps texts and claims by its own clock. */
export interface TokenEntries {
  /**
   * The text that is kept, unless it is this one; else the claim, under that name and with the engine's time in it,
   * unless somebody else has it.
   */
  claim(key: string, unless: string | undefined, name: string, forMs: number): Promise<EntryClaim>
  /** Keeps a text until so long after the claim began. */
  put(key: string, claim: string, text: string, lifetimeMs: number): Promise<void>
  /** Ends a claim. */
  release(key: string, claim: string): Promise<void>
  /** Forgets this very text. */
  remove(key: string, text: string): Promise<void>
}

/** A store of tokens over an engine that sees none of them. The sealed text is the version. */
export function sealedTokenStore(entries: TokenEntries, keys: readonly EncryptionKey[]): TokenStore {
  const sealer = new Sealer(encryptionKeys(keys))
  const open = (key: string, entry: EntryClaim): TokenClaim | undefined => {
    if (entry.state !== 'stored') return entry
    const shared = readShared(sealer.open(entry.text, key))
    return shared && { state: 'stored', ...shared, remainingMs: entry.remainingMs, version: entry.text }
  }
  return {
    async claim(key, { unless, forMs }) {
      const name = randomBytes(9).toString('base64url')
      const entry = await entries.claim(key, unless, name, forMs)
      const opened = open(key, entry)
      if (opened !== undefined || entry.state !== 'stored') return opened ?? busy
      // Torn, foreign, or sealed with a key that has gone: as good as none.
      const again = await entries.claim(key, entry.text, name, forMs)
      return again.state === 'claimed' ? { ...again, unreadable: true } : (open(key, again) ?? busy)
    },
    async put(key, claim, token) {
      const text = sealer.seal(JSON.stringify(token), key)
      await entries.put(key, claim, text, token.lifetimeMs)
      return text
    },
    release: (key, claim) => entries.release(key, claim),
    remove: (key, version) => entries.remove(key, version),
  }
}

/** Somebody else was quicker: ask again. */
const busy: TokenClaim = { state: 'busy' }

/** A claim is `NAME.TIME`: when it began, in milliseconds by the engine's clock. */
export function claimParts(claim: string): { readonly name: string; readonly at: number } {
  const dot = claim.lastIndexOf('.')
  return { name: claim.slice(0, dot), at: Number(claim.slice(dot + 1)) }
}

function readShared(text: string | undefined): SharedToken | undefined {
  const read = jsonOf(text ?? '')
  if (!isObject(read)) return undefined
  const { token, lifetimeMs } = read
  return typeof token === 'string' && typeof lifetimeMs === 'number' ? { token, lifetimeMs } : undefined
}
