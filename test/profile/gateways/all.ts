import type { ServerResponse } from 'node:http'
import type { RefusalCase } from '../../../src/client/profile/gateway-profile.js'
import { type HandAnswer, HandGateway, type HandPayment } from './hand-gateway.js'

/** By the specification, and what is likeliest where it is silent. */
class Plain extends HandGateway {}

/** The token is deep in the answer, and no JWT. */
class NestedToken extends HandGateway {
  override makeToken(): string {
    return `opaque-${crypto.randomUUID()}`
  }
  override tokenBody(token: string, validitySecs: number): HandAnswer {
    const requestId = crypto.randomUUID()
    return { status: 201, body: { meta: { requestId }, result: { bearer: token, expiresIn: validitySecs } } }
  }
}

/** The token is the whole answer, as a text. */
class TextToken extends HandGateway {
  override tokenBody(token: string): HandAnswer {
    return { status: 200, body: `${token}\n`, type: 'text/plain' }
  }
}

/** The token is the whole answer, as one string of JSON. */
class StringToken extends HandGateway {
  override tokenBody(token: string): HandAnswer {
    return { status: 200, body: JSON.stringify(token) }
  }
}

/** Timestamps are milliseconds. */
class Milliseconds extends HandGateway {
  override unit = 'milliseconds' as const
}

/** Payments are flat: the status stands at the top. */
class StatusOnTop extends HandGateway {
  override found({ id, kind, money, processedAt }: HandPayment, status: string): HandAnswer {
    const ids = kind === 'payin' ? { idPayin: id } : { idPayout: id }
    const method = { ...ids, paymentMethodCode: 'VAPAY' }
    const ended = processedAt === undefined ? {} : { finishedAt: processedAt }
    return {
      status: 200,
      body: { status, ...ended, paymentRequested: { money }, paymentMethodResponse: method },
    }
  }
}

/** Nothing says when a payment ended. */
class NoProcessedAt extends HandGateway {
  override found(payment: HandPayment, status: string): HandAnswer {
    const { processedAt: _, ...others } = payment
    return super.found(others, status)
  }
}

/** A time that there is none of yet is null. */
class NullProcessedAt extends HandGateway {
  override found({ id, kind, money, processedAt }: HandPayment, status: string): HandAnswer {
    const ids = kind === 'payin' ? { idPayin: id } : { idPayout: id }
    const process = { status, processedAt: processedAt ?? null }
    return { status: 200, body: { paymentRequested: { money }, process, paymentMethodResponse: ids } }
  }
}

/** Refusals are lists, as of a validator. */
class ErrorList extends HandGateway {
  override refusal(which: RefusalCase, status: number): HandAnswer {
    return { status, body: { errors: [{ code: which, detail: 'that is wrong', severity: 3 }] } }
  }
}

/** Refusals are a list at the top. */
class BareErrorList extends HandGateway {
  override refusal(which: RefusalCase, status: number): HandAnswer {
    return { status, body: [which, 'that is wrong'] }
  }
}

/** Refusals are those of RFC 9457. */
class Problems extends HandGateway {
  override refusal(which: RefusalCase, status: number): HandAnswer {
    const body = { type: 'about:blank', title: which, status, detail: 'that is wrong' }
    return { status, body, type: 'application/problem+json' }
  }
}

/** Refusals have no body. */
class SilentRefusals extends HandGateway {
  override refusal(_which: RefusalCase, status: number): HandAnswer {
    return { status }
  }
}

/** Refusals are pages for people. */
class PagesAsRefusals extends HandGateway {
  override refusal(which: RefusalCase, status: number): HandAnswer {
    return { status, body: `<h1>${which}</h1>`, type: 'text/html' }
  }
}

/** Invalid input is 422. */
class Unprocessable extends HandGateway {
  override refusal(which: RefusalCase, status: number): HandAnswer {
    return super.refusal(which, status === 400 ? 422 : status)
  }
}

/** A token request is taken once. */
class NoReplays extends HandGateway {
  override refusesReplays = true
}

/** Tokens live five minutes at most. */
class ShortTokens extends HandGateway {
  override longestSecs = 300
}

/** Tokens live a minute at most, and timestamps are milliseconds: the first three requests are refused. */
class ShortMilliseconds extends HandGateway {
  override unit = 'milliseconds' as const
  override longestSecs = 60
}

/** Requests may come one after the other only, and a 429 says when to come back. */
class EvenlySpaced extends HandGateway {
  readonly #gapMs = 90
  #nextAt = 0
  override takes(): boolean {
    const now = performance.now()
    if (now < this.#nextAt) return false
    this.#nextAt = now + this.#gapMs
    return true
  }
  override refusal(which: RefusalCase, status: number): HandAnswer {
    const answer = super.refusal(which, status)
    return which === 'rate-exceeded' ? { ...answer, headers: { 'retry-after': '1' } } : answer
  }
}

/** Ten in any second, and a 429 says until when. */
class Windows extends HandGateway {
  #taken: number[] = []
  override takes(): boolean {
    const now = performance.now()
    this.#taken = this.#taken.filter((at) => now - at < 1000)
    if (this.#taken.length >= 10) return false
    this.#taken.push(now)
    return true
  }
  override refusal(which: RefusalCase, status: number): HandAnswer {
    const until = new Date(Date.now() + 1000).toUTCString()
    const answer = super.refusal(which, status)
    return which === 'rate-exceeded' ? { ...answer, headers: { 'retry-after': until } } : answer
  }
}

/** Answers come in pieces. */
class Chunked extends HandGateway {
  override send(
    response: ServerResponse,
    { status, body, type = 'application/json', headers }: HandAnswer,
  ): void {
    response.writeHead(status, { 'content-type': type, ...headers })
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const step = Math.max(1, Math.ceil(bytes.length / 3))
    for (let at = 0; at < bytes.length; at += step) response.write(bytes.subarray(at, at + step))
    response.end()
  }
}

/** Every object has fields that the specification doesn't know. */
class ExtraFields extends HandGateway {
  override send(response: ServerResponse, answer: HandAnswer): void {
    super.send(response, { ...answer, body: withMore(answer.body) })
  }
}

function withMore(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMore)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, withMore(field)])
  return {
    ...Object.fromEntries(fields),
    traceId: crypto.randomUUID(),
    links: [],
    hints: { next: null, count: 2 },
  }
}

/** All endpoints lie below a path. */
class BasePath extends HandGateway {
  override basePath = '/gateway/v2'
}

/** Payments end at once, and every create is a 201. */
class AtOnce extends HandGateway {
  override steps = ['SUCCESS']
  override created(payment: HandPayment): HandAnswer {
    return { ...super.created(payment), status: 201 }
  }
}

/** Operations are matched with paths as they read. */
class DecodedPaths extends HandGateway {
  override matched(path: string): string {
    return decodeURIComponent(path)
  }
}

/** Account data stands elsewhere, and balances by their currencies. */
class OddAccount extends HandGateway {
  override customerAccountPath = '/payins/{idPayin}/customerAccount'
  override account(path: string): HandAnswer {
    return path === '/balances' ? { status: 200, body: { EUR: 10, USD: 2 } } : super.account(path)
  }
}

/** There is no customer account data, and callbacks are of a kind of their own. */
class OddCallbacks extends HandGateway {
  override customerAccountPath = undefined
  override callbackTries = 3
  override callback({ id, kind }: HandPayment): RequestInit {
    const headers = {
      'content-type': 'application/vnd.event+json',
      'x-event-kind': kind,
      'x-api-version': '2',
    }
    return { method: 'PUT', headers, body: JSON.stringify({ event: { kind, about: id }, attempt: 1 }) }
  }
}

/** Statuses are words of its own on the way. */
class OwnWords extends HandGateway {
  override steps = ['NEW', 'WAITING_FOR_CUSTOMER', 'SUCCESS']
}

export const gateways: Readonly<Record<string, () => HandGateway>> = {
  plain: () => new Plain(),
  'a token that is deep in the answer': () => new NestedToken(),
  'a token as a text': () => new TextToken(),
  'a token as one string of JSON': () => new StringToken(),
  milliseconds: () => new Milliseconds(),
  'the status at the top': () => new StatusOnTop(),
  'no processedAt': () => new NoProcessedAt(),
  'a processedAt that is null at first': () => new NullProcessedAt(),
  'refusals with lists': () => new ErrorList(),
  'refusals that are lists': () => new BareErrorList(),
  'refusals by RFC 9457': () => new Problems(),
  'refusals without a body': () => new SilentRefusals(),
  'refusals that are pages': () => new PagesAsRefusals(),
  '422 in place of 400': () => new Unprocessable(),
  'replays refused': () => new NoReplays(),
  'validity capped at 300 s': () => new ShortTokens(),
  'validity capped at 60 s, in milliseconds': () => new ShortMilliseconds(),
  'an evenly spaced limiter': () => new EvenlySpaced(),
  'ten in any second': () => new Windows(),
  'answers in pieces': () => new Chunked(),
  'more fields everywhere': () => new ExtraFields(),
  'a base path': () => new BasePath(),
  'payments that end at once': () => new AtOnce(),
  'operations matched with decoded paths': () => new DecodedPaths(),
  'account data of its own': () => new OddAccount(),
  'callbacks of its own': () => new OddCallbacks(),
  'statuses of its own': () => new OwnWords(),
}
