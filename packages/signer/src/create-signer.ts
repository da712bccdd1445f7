import { hash, KeyObject, sign } from 'node:crypto'
import { ConfigurationError, type Signer } from 'merchant-gateway'
import { approvalIn } from './approvals.js'
import { decide } from './decide.js'
import { LogFile } from './log-file.js'
import { readPolicy, type SignerPolicy } from './policy.js'
import { SignerRefusal } from './refusal.js'
import { textOfGuarded } from './regular-file.js'
import { whyOf } from './text.js'
import { tokenRequestOf } from './token-request.js'

/** What {@link createSigner} takes beside the policy. */
export interface CreateSignerOptions {
  /** The private key, or a `Signer` of a KMS that holds it. */
  readonly key: KeyObject | Signer
  /**
   * The path of the file in which decisions are written, and by which payouts are counted. It is made with mode 0640,
   * belongs to one signer, and its folder has to exist.
   */
  readonly log: string
  /** The time in milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined
}

/** A signer that signs what its policy allows, by which clients request tokens of one payment each. */
export interface PolicySigner extends Signer {
  /** How many lines its log has, and the SHA-256 of the last one. */
  readonly head: { readonly lines: number; readonly hash: string }
  /** Ends it, and frees its log for another. */
  close(): void
}

/**
 * A signer that signs the token requests that a policy allows, and no others: for a process of its own, see `listen`,
 * or with a KMS behind it. Every decision is in the log before its signature is given.
 *
 * @throws for a wrong policy or key, and for a log whose lines were changed or that another signer
 * writes to ({@link ConfigurationError}).
 * @example
 * const signer = await createSigner(readPolicy(json), { key, log: 'signer.log' })
 * await using server = await listen(signer, { socket: '/run/merchant-signer/signer.sock' })
 */
export async function createSigner(given: SignerPolicy, options: CreateSignerOptions): Promise<PolicySigner> {
  const { now = Date.now } = options
  // A copy: what is changed afterwards changes no decision.
  const policy = readPolicy(given)
  const { approvals } = policy
  if (approvals !== undefined && approvals.uid === process.getuid?.()) {
    const why = 'whoever got into it could approve; name another user; nothing is signed.'
    throw wrong('policy', `approvals.uid is the user that the signer runs as: ${why}`)
  }
  const key = signerOver(options.key)
  const started = { did: 'started', policy: hash('sha256', JSON.stringify(policy)) } as const
  const log = await LogFile.open(options.log, started, now())

  return {
    tokens: 'per-payment',
    get head() {
      return log.counts.end
    },
    async sign(bytesGiven) {
      // A copy: what is decided on is what is signed.
      const bytes = new Uint8Array(bytesGiven)
      const nowMs = now()
      const { entry, refused } = decide(tokenRequestOf(bytes), {
        policy,
        counts: log.counts,
        nowMs,
        approvalOf: (id) => approvals && approvalIn(textOfGuarded(approvals.file, approvals.uid), id),
      })
      try {
        log.add(entry, nowMs)
      } catch (cause) {
        throw new SignerRefusal('log', `the decision could not be written down: ${whyOf(cause)}`)
      }
      if (refused !== undefined) throw refused
      return key.sign(bytes)
    },
    close: () => log.close(),
  }
}

const leastBits = 2048

function signerOver(key: KeyObject | Signer): Signer {
  if (!(key instanceof KeyObject)) return key
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  if (key.type !== 'private' || key.asymmetricKeyType !== 'rsa' || modulusLength < leastBits)
    throw wrong('key', `key must be a private RSA key of ${leastBits} bits or more; nothing is signed.`)
  return { sign: async (bytes) => sign('RSA-SHA256', bytes, key) }
}

function wrong(option: string, sentence: string): ConfigurationError {
  return new ConfigurationError(sentence, { option })
}
