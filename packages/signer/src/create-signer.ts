import { hash, KeyObject, sign } from 'node:crypto'
import { parsePrivateKey } from '../../../src/client/input/private-key.js'
import { ConfigurationError, type GatewayProfile, type Signer } from '../../../src/index.js'
import { decide, type Facts } from './decide.js'
import { LogFile } from './log-file.js'
import { PayoutList } from './payout-list.js'
import type { SignerPolicy } from './policy.js'
import { readPolicy } from './read-policy.js'
import { SignerRefusal, whyOf } from './refusal.js'
import { tokenRequestOf } from './token-request.js'

/** A private key, or a signer that has it elsewhere. */
export type SignerKey = string | KeyObject | Signer

/** What {@link createSigner} takes beside the policy. */
export interface CreateSignerOptions {
  /** The private key as PEM text or a `KeyObject`, or a `Signer` of a KMS that holds it. */
  readonly key: SignerKey
  /**
   * The path of the file in which decisions are written, and which is counted by. It is made with mode 0640, is that of
   * one signer, and its folder has to be there.
   */
  readonly log: string
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
 * `listen`, or with a KMS behind it. Every decision is in the log before its answer is given.
 *
 * @throws {ConfigurationError} for a policy, a key or a profile that does not do, and for a log whose lines were changed
 * or that another signer writes to.
 * @example
 * const signer = await createSigner(readPolicy(json), { key, log: 'signer.log' })
 * await using server = await listen(signer, { socket: '/run/signer/signer.sock' })
 */
export async function createSigner(
  policy: SignerPolicy,
  options: CreateSignerOptions,
): Promise<PolicySigner> {
  const { key, log: path, profile, unkeptLimits, now = Date.now } = options
  // A copy: what is changed afterwards changes no decision.
  const own = readPolicy(policy)
  if (unkeptLimits !== 'accept') refuseWithoutLimits(profile)
  if (own.approvals !== undefined && own.approvals.uid === process.getuid?.()) {
    throw new ConfigurationError(
      'approvals.uid is the user that the signer runs as: whoever got into it could approve; name another user; nothing is signed.',
      { option: 'policy' },
    )
  }
  const signer = signerOver(key)
  const first = { did: 'started', policy: hash('sha256', JSON.stringify(own)) } as const
  const log = await LogFile.open(path, first, now())
  return decidingSigner(own, signer, log, now)
}

function refuseWithoutLimits(profile: GatewayProfile | undefined): void {
  const { moneyLimit, idLimit } = profile?.tokens ?? {}
  if (moneyLimit !== 'ignored' && idLimit !== 'ignored') return
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
  // Nothing else is to be done meanwhile, and to hand it to a thread takes longer.
  return { sign: async (bytes) => sign('RSA-SHA256', bytes, parsed) }
}

function decidingSigner(policy: SignerPolicy, key: Signer, log: LogFile, now: () => number): PolicySigner {
  const readLists = listsOf(policy)
  let isClosed = false

  return {
    tokens: 'per-payment',
    keyId: key.keyId,
    get head() {
      const { lines, hash } = log.counts.end
      return { lines, hash }
    },
    /**
     * Reads, decides and writes the decision down in one go, so that each decision counts those before it; gives the
     * signature out when the disk has the decision.
     */
    async sign(given) {
      if (isClosed) throw new SignerRefusal('busy', 'the signer was closed')
      // A copy: what is decided on is what is signed.
      const bytes = new Uint8Array(given)
      const nowMs = now()
      const facts = { policy, counts: log.counts, nowMs, ...readLists() }
      const { entry, refused } = decide(tokenRequestOf(bytes), facts)
      let signature: Promise<Uint8Array> | undefined
      try {
        const onDisk = log.add(entry, nowMs)
        // Begins while the disk takes the decision, and is dropped where it does not.
        if (refused === undefined) signature = begun(key, bytes)
        await onDisk
      } catch (cause) {
        throw new SignerRefusal('log', `the decision could not be written down: ${whyOf(cause)}`)
      }
      if (signature === undefined) throw refused
      return signature
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await log.close()
    },
  }
}

/** Reads on in the files that a policy names. */
function listsOf({ ids, approvals }: SignerPolicy): () => Pick<Facts, 'ids' | 'approvals' | 'unbelieved'> {
  const idsFile = ids === undefined ? undefined : new PayoutList(ids)
  const approvalsFile = approvals === undefined ? undefined : new PayoutList(approvals.file, approvals.uid)
  return () => {
    try {
      return { ids: idsFile?.read(), approvals: approvalsFile?.read() }
    } catch (error) {
      return { unbelieved: whyOf(error) }
    }
  }
}

/** What a KMS says at once must not pass for a failure of the log, whose sentence is shown to whoever asks. */
function begun(key: Signer, bytes: Uint8Array): Promise<Uint8Array> {
  const signature = (async () => key.sign(bytes))()
  signature.catch(() => undefined)
  return signature
}
