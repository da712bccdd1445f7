import type {
  AnswerProfile,
  GatewayProfile,
  RefusalCase,
} from '../../../../src/client/profile/gateway-profile.js'
import type { Shape } from '../../../../src/client/profile/shape.js'
import { hiding } from '../../../../src/client/redact/hide.js'
import { secretsIn } from '../../../../src/client/redact/secrets.js'
import type { PaymentKind } from '../../../../src/index.js'
import { mergeShapes } from '../../../../src/profile/shapes/merge-shapes.js'
import { shapeOfBody } from '../../../../src/profile/shapes/shape-of.js'
import { type Answer, isRefusal, isSuccess, type Reply, whyNot } from '../answer.js'
import { type Finding, skip } from '../doctor/finding.js'
import { tokenCandidates } from './find-token.js'
import { answerPart, gapsOf, paymentParts, paymentRoute, refusalCases, routes } from './gaps.js'

/** What of a secret is looked for: a name of a field has no room for more. */
const longestHidden = 2000

/** What was learnt so far: names, types and statuses. */
export class ProfileDraft {
  #profile: GatewayProfile = { profileVersion: 1 }
  readonly #reasons = new Map<string, string>()
  #hidden: readonly string[] = []
  #hide = hiding([])

  /** Never to be seen in a profile, also where a gateway makes a name of it. */
  hideTexts(...texts: readonly string[]): void {
    this.#hidden = [...this.#hidden, ...texts.map((text) => text.slice(0, longestHidden))]
    this.#hide = hiding(this.#hidden)
  }

  /** The same for what a request says of a customer. */
  hideRequest(body: unknown): void {
    this.hideTexts(...secretsIn(body))
  }

  /** The same for all that may be a token in the answer to a token request. */
  hideTokens(reply: Reply): void {
    if (isSuccess(reply)) this.hideTexts(...tokenCandidates(reply.body).map(({ token }) => token))
  }

  shape(body: string): Shape | undefined {
    return shapeOfBody(body, this.#hidden)
  }

  /** A text of the gateway's with nothing in it that is known to be secret. */
  hide(text: string): string {
    return this.#hide(text)
  }

  add(more: Omit<GatewayProfile, 'profileVersion' | 'answers' | 'refusals' | 'notSeen'>): void {
    const { tokens, payins, payouts, rate, callbacks } = this.#profile
    this.#profile = {
      ...this.#profile,
      ...more,
      tokens: joined(tokens, more.tokens),
      payins: joined(payins, more.payins),
      payouts: joined(payouts, more.payouts),
      rate: joined(rate, more.rate),
      callbacks: joined(callbacks, more.callbacks),
    }
  }

  /** The answer to an endpoint that succeeded; what comes again is added to it. */
  answered(route: string, answer: Answer): void {
    const { answers = {} } = this.#profile
    const { [route]: before } = answers
    this.#profile = { ...this.#profile, answers: { ...answers, [route]: this.#merged(before, answer) } }
  }

  refused(which: RefusalCase, answer: Answer): void {
    const { refusals = {} } = this.#profile
    const refusal = this.#merged(refusals[which], answer)
    this.#profile = { ...this.#profile, refusals: { ...refusals, [which]: refusal } }
  }

  /**
   * How the gateway refuses something, or why it was not seen.
   *
   * @param done why, where the gateway did it.
   */
  refusal(which: RefusalCase, reply: Reply, done?: string): void {
    if (isRefusal(reply)) this.refused(which, reply)
    else this.notSeen(`refusals.${which}`, isSuccess(reply) && done !== undefined ? done : whyNot(reply))
  }

  /**
   * What came back from an endpoint: its answer, or why there is none to be seen.
   *
   * @param asking what it was about where it was not the endpoint itself: `a token for it: `.
   * @returns why; undefined where the answer was seen.
   */
  endpoint(route: string, reply: Reply, asking = ''): string | undefined {
    if (asking === '' && isSuccess(reply)) {
      this.answered(route, reply)
      return undefined
    }
    const why = asking + whyNot(reply)
    this.answerNotSeen(route, why)
    return why
  }

  /** Why the answer to an endpoint was not seen. */
  answerNotSeen(route: string, why: string): void {
    this.notSeen(answerPart(route), why)
  }

  /** Why a part was not seen, as a line of the report. */
  unseen(check: string, part: string, why: string): Finding {
    this.notSeen(part, why)
    return skip(check, `not seen: ${why}`)
  }

  /** Why nothing was seen of payments of one kind. */
  paymentNotSeen(kind: PaymentKind, why: string): void {
    for (const part of paymentParts) this.notSeen(`${kind}s.${part}`, why)
    for (const method of ['POST', 'GET'] as const) this.answerNotSeen(paymentRoute(method, kind), why)
  }

  /** Why a part of the profile can't be there; the first reason stays. */
  notSeen(part: string, why: string): void {
    if (!this.#reasons.has(part)) this.#reasons.set(part, why.slice(0, 300))
  }

  /** Whether anything was seen that a profile is worth for. */
  get isEmpty(): boolean {
    return this.#profile.answers === undefined && this.#profile.refusals === undefined
  }

  get known(): GatewayProfile {
    return this.#profile
  }

  /** @param otherwise why what was not seen was not, where no reason is known. */
  profile(otherwise: string): GatewayProfile {
    const gaps = gapsOf(this.#profile)
    // Some statuses may be known, and the end not.
    const halfSeen = ['payins.statuses', 'payouts.statuses'].filter(
      (part) => this.#reasons.has(part) && !gaps.includes(part),
    )
    const notSeen = [...gaps, ...halfSeen].map(
      (part) => [part, this.#reasons.get(part) ?? otherwise] as const,
    )
    const { profileVersion, tokens, payins, payouts, answers, refusals, rate, callbacks, ...rest } =
      this.#profile
    const parts = {
      tokens,
      payins,
      payouts,
      answers: inOrder(answers, routes),
      refusals: inOrder(refusals, refusalCases),
      rate,
      callbacks,
    }
    return {
      $schema: './node_modules/merchant-gateway/dist/gateway-profile.schema.json',
      profileVersion,
      ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)),
      ...rest,
      ...(notSeen.length === 0 ? {} : { notSeen: Object.fromEntries(notSeen) }),
    }
  }

  #merged(before: AnswerProfile | undefined, { status, contentType, body }: Answer): AnswerProfile {
    const type = contentType !== undefined && this.hide(contentType) === contentType ? { contentType } : {}
    const shape = this.shape(body)
    if (before === undefined || before.status !== status) {
      return { status, ...type, ...(shape === undefined ? {} : { body: shape }) }
    }
    if (shape === undefined || before.body === undefined) return before
    return { ...before, body: mergeShapes(before.body, shape) }
  }
}

/** The same every week, so that two files can be compared line by line. */
function inOrder(
  answers: Readonly<Record<string, AnswerProfile | undefined>> | undefined,
  names: readonly string[],
): Readonly<Record<string, AnswerProfile | undefined>> | undefined {
  if (answers === undefined) return undefined
  const at = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length)
  return Object.fromEntries(Object.entries(answers).sort(([a], [b]) => at(a) - at(b)))
}

/** What is known of a part, with what was learnt of it now. */
function joined<T extends object>(before: T | undefined, more: T | undefined): T | undefined {
  if (before === undefined) return more
  return more === undefined ? before : { ...before, ...more }
}
