import { createHash, KeyObject } from 'node:crypto'
import { parsePrivateKey, signWith } from '../client/input/private-key.js'
import { ConfigurationError, type GatewayProfile, type Signer } from '../index.js'
import { Counts, type Entry } from './counts.js'
import { decide } from './decide.js'
import type { SignerJournal } from './file-journal.js'
import { type Known, KnownPayouts } from './known-payouts.js'
import type { SignerPolicy } from './policy.js'
import { readPolicy } from './read-policy.js'
import { SignerRefusal } from './refusal.js'
import { tokenRequestOf } from './token-request.js'

/** A private key, or a signer that has it elsewhere. */
export type SignerKey = string | KeyObject | Signer

/** What {@link createSigner} takes beside the policy. */
export interface CreateSignerOptions {
  /** The private key as PEM text or a `KeyObject`, or a `Signer` of a KMS that holds it. */
  readonly key: SignerKey
  /** Where decisions are written, and what is counted by: `fileJournal(path)`. */
  readonly journal: SignerJournal
  /**
   * What the gateway was seen to do. Where it says that the gateway does not keep a token's money or its id, no
   * signer is made. Default: not known.
   */
  readonly profile?: GatewayProfile | undefined
  /** `'accept'` makes a signer for such a gateway all the same. Default `'refuse'`. */
  readonly unkeptLimits?: 'refuse' | 'accept' | undefined
  /** The time in milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined
}

/** A signer that signs what its policy allows. */
export interface PolicySigner extends Signer {
  /** What tells clients to ask for tokens of one payment each. */
  readonly tokens: 'per-payment'
  /** Where its log ends. */
  readonly head: {
    /** How many lines there are. */
    readonly lines: number
    /** The SHA-256 of the last one. */
    readonly hash: string
  }
  /** Ends it when the last decision is written down. */
  close(): Promise<void>
}

/**
 * A signer that signs token requests which a policy allows, and no others: for a process of its own, see
 * `listen`, or with a KMS behind it. Every decision is in the journal before its answer is given.
 *
 * @throws {ConfigurationError} for a policy, a key or a profile that does not do, and for a journal whose lines were
 * changed.
 * @example
 * const signer = await createSigner(readPolicy(json), { key, journal: fileJournal('signer.log') })
 * await using server = await listen(signer, { socket: '/run/signer/signer.sock' })
 */
export async function createSigner(
  policy: SignerPolicy,
  options: CreateSignerOptions,
): Promise<PolicySigner> {
  const { key, journal, profile, unkeptLimits, now = Date.now } = options
  // A copy: what is changed afterwards changes no decision.
  const own = readPolicy(JSON.parse(JSON.stringify(policy)))
  refuseWithoutLimits(profile, unkeptLimits)
  if (own.approvals !== undefined && own.approvals.uid === process.getuid?.()) {
    throw new ConfigurationError(
      'approvals.uid is the user that the signer runs as: whoever got into it could approve; name another user; nothing is signed.',
      { option: 'policy' },
    )
  }
  const signer = new DecidingSigner(own, signerOver(key), journal, now)
  try {
    await signer.start()
  } catch (error) {
    await journal.close()
    throw error
  }
  return signer
}

function refuseWithoutLimits(
  profile: GatewayProfile | undefined,
  unkeptLimits: CreateSignerOptions['unkeptLimits'],
): void {
  const { moneyLimit, idLimit } = profile?.tokens ?? {}
  if (unkeptLimits === 'accept' || (moneyLimit !== 'ignored' && idLimit !== 'ignored')) return
  const what = moneyLimit === 'ignored' ? 'its money' : 'its id'
  throw new ConfigurationError(
    `the profile says that this gateway does not keep a token to ${what}, so a policy would protect nothing; ask the platform, or say that you accept it (unkeptLimits: 'accept'); nothing is signed.`,
    { option: 'profile' },
  )
}

/** @throws {ConfigurationError} unless it is a private RSA key of 2048 bits or more, or a signer. */
function signerOver(key: SignerKey): Signer {
  if (typeof key === 'object' && !(key instanceof KeyObject)) return key
  const parsed = parsePrivateKey(key, undefined, (why) => {
    return new ConfigurationError(`key ${why}; nothing is signed.`, { option: 'key' })
  })
  return { sign: (bytes) => signWith(parsed, bytes) }
}

class DecidingSigner implements PolicySigner {
  readonly tokens = 'per-payment'
  readonly #policy: SignerPolicy
  readonly #key: Signer
  readonly #journal: SignerJournal
  readonly #now: () => number
  readonly #counts = new Counts()
  readonly #known: KnownPayouts
  /** Decisions are made one after the other: each counts those before it. */
  #turn: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(policy: SignerPolicy, key: Signer, journal: SignerJournal, now: () => number) {
    this.#policy = policy
    this.#key = key
    this.#journal = journal
    this.#now = now
    this.#known = new KnownPayouts(policy)
  }

  get keyId(): string | undefined {
    return this.#key.keyId
  }

  get head(): { readonly lines: number; readonly hash: string } {
    return { lines: this.#counts.lines, hash: this.#counts.head }
  }

  async start(): Promise<void> {
    const policy = createHash('sha256').update(JSON.stringify(this.#policy)).digest('hex')
    try {
      await this.#record(() => ({ entry: { did: 'started', policy } }))
    } catch (cause) {
      if (cause instanceof ConfigurationError) throw cause
      const sentence = `the log can't be used: ${errorOf(cause).message}; nothing is signed.`
      throw new ConfigurationError(sentence, { option: 'log' }, cause)
    }
  }

  async sign(bytes: Uint8Array): Promise<Uint8Array> {
    if (this.#isClosed) throw new SignerRefusal('busy', 'the signer was closed')
    // A copy: what is decided on is what is signed.
    const own = Uint8Array.from(bytes)
    const turn = this.#turn.then(() => this.#decide(own))
    this.#turn = turn.catch(() => undefined)
    // A key that takes its time keeps nobody from a decision.
    const { signature } = await turn
    return signature
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#turn
    await this.#journal.close()
  }

  /**
   * Reads, decides, writes the decision down, and only then gives the signature out.
   *
   * @throws {SignerRefusal} where there is none.
   */
  async #decide(bytes: Uint8Array<ArrayBuffer>): Promise<{ readonly signature: Promise<Uint8Array> }> {
    const request = tokenRequestOf(bytes)
    // Only payouts are looked for in files.
    const known = request?.money === undefined ? { approvals: [] } : this.#readKnown()
    const recorded = this.#record(() => {
      const facts = { policy: this.#policy, counts: this.#counts, nowMs: this.#now(), known }
      const decision = decide(request, facts)
      // Begins while the decision is written down; it is given out when that is done, and else dropped.
      return { ...decision, signature: decision.refused === undefined ? this.#signed(bytes) : nothing }
    })
    const { refused, signature } = await recorded.catch((cause: unknown) => {
      throw new SignerRefusal('log', `the decision could not be written down: ${errorOf(cause).message}`)
    })
    if (refused !== undefined) throw refused
    return { signature }
  }

  #readKnown(): Known | Error {
    try {
      return this.#known.read()
    } catch (error) {
      return errorOf(error)
    }
  }

  #signed(bytes: Uint8Array): Promise<Uint8Array> {
    // What a KMS says at once must not pass for a failure of the log, whose sentence is shown to whoever asks.
    const signature = (async () => this.#key.sign(bytes))()
    signature.catch(() => undefined)
    return signature
  }

  /** Writes a line that is true of all lines before it: where another signer was first, it is made anew. */
  async #record<T extends { readonly entry: Entry }>(make: () => T): Promise<T> {
    for (;;) {
      for await (const line of this.#journal.read(this.#counts.lines)) this.#counts.add(line)
      const made = make()
      const line = this.#counts.next(made.entry, this.#now())
      const isDurable = made.entry.did === 'started' || made.entry.until !== undefined
      if (!(await this.#journal.append(this.#counts.lines, line, isDurable))) continue
      this.#counts.add(line)
      return made
    }
  }
}

const nothing = Promise.resolve(new Uint8Array())

function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('it failed')
}
