import { jsonOf } from '../../../../src/client/input/json.js'
import { isObject } from '../../../../src/client/input/own.js'
import type { PaymentKind } from '../../../../src/index.js'
import { type Answer, isSuccess, type Reply } from '../answer.js'
import { type Finding, ok, warn } from '../doctor/finding.js'
import { exitCodes } from '../exit-codes.js'
import { Stop } from './asker.js'
import { isAtEnd, paymentProfile } from './find-status.js'
import { paymentRoute } from './gaps.js'
import { type Said, whatIsSaidOfTests } from './is-test.js'
import { get, type KeptToken, type SignedSession } from './session.js'

/** A payment of ours, and what its look-ups have shown. */
export class FollowedPayment {
  readonly kind: PaymentKind
  readonly id: string
  readonly #session: SignedSession
  readonly #token: KeptToken
  readonly #lookUps: unknown[] = []
  #wasFound = false
  #said: Said = 'nothing'

  constructor(session: SignedSession, kind: PaymentKind, id: string, token: KeptToken) {
    this.#session = session
    this.kind = kind
    this.id = id
    this.#token = token
  }

  get path(): string {
    return `/${this.kind}s/${this.id}`
  }

  get isAtEnd(): boolean {
    return isAtEnd(this.#lookUps, (status) => this.#isShown(status))
  }

  /** As its last look-up shows it. */
  get fee(): unknown {
    const last = this.#lookUps.at(-1)
    return isObject(last) ? last.fee : undefined
  }

  get wasFound(): boolean {
    return this.#wasFound
  }

  /** Whether an answer about it has said that it is a test. */
  get isTest(): boolean {
    return this.#said === 'test'
  }

  /**
   * The answer to its create or to a look-up.
   *
   * @throws {Stop} as soon as one says that it is no test: nothing more is asked of a gateway that moves money.
   */
  hear({ body }: Answer): void {
    const said = whatIsSaidOfTests(jsonOf(body))
    if (said !== 'nothing') this.#said = said
    if (this.#said !== 'real') return
    throw new Stop(
      `the ${this.kind} says that it is no test payment (isTest is false), so real money may move, and nothing more is created or asked here`,
      exitCodes.refused,
      `The id of the ${this.kind} is ${this.id}: have the platform stop it if it must not be, and give the address of a test gateway.`,
    )
  }

  async lookUp(): Promise<Reply> {
    const { asker, draft } = this.#session
    const reply = await asker.ask(get(this.path, await this.#token()))
    if (isSuccess(reply)) {
      this.#wasFound = true
      draft.answered(paymentRoute('GET', this.kind), reply)
      this.#lookUps.push(jsonOf(reply.body))
      this.hear(reply)
      draft.add({ [`${this.kind}s`]: paymentProfile(this.#lookUps, (status) => this.#isShown(status)) })
    }
    return reply
  }

  /** A word, and no name of somebody: those have two words with small letters. */
  #isShown(status: string): boolean {
    const isWord = /^(?:[\p{L}_][\p{L}\p{N}_.:-]{0,39}|\p{Lu}[\p{Lu}\p{N} _-]{0,39})$/u.test(status)
    return (
      isWord &&
      !/\d{4}|^eyJ|^constructor$|^prototype$/.test(status) &&
      this.#session.draft.hide(status) === status
    )
  }

  /** What was seen of it, in words. */
  finding(waitedSecs: number): Finding {
    const { draft } = this.#session
    const { statusField, statuses = {} } = draft.known[`${this.kind}s`] ?? {}
    const part = `${this.kind}s`
    if (statusField === undefined) {
      const why = this.#wasFound ? 'no field of its look-ups looks like a status' : 'it was not found'
      draft.notSeen(`${part}.statusField`, why)
      return warn(this.kind, why, 'Give statusOf and isFinal to the client.')
    }
    const seen = Object.entries(statuses).map(([status, meaning]) => `${status} (${meaning})`)
    const message = `${seen.join(', ') || 'no status that is a word'}, at ${statusField}`
    if (this.isAtEnd) {
      draft.notSeen(`${part}.processedAtField`, 'no time of its end was shown')
      return ok(this.kind, message)
    }
    const why = `it had not come to an end after ${waitedSecs} s`
    draft.notSeen(`${part}.statuses`, why)
    draft.notSeen(`${part}.processedAtField`, why)
    return warn(
      this.kind,
      `${message}; ${why}`,
      'Run it again with a longer --wait, and pay the payin meanwhile.',
    )
  }
}
