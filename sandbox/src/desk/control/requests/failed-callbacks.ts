import type { SandboxCallback } from '../../../gateway/callbacks/delivery-log.js'
import type { Mask } from '../mask.js'
import { Numbers } from '../numbers.js'
import type { PageParts } from '../parts.js'
import { callbackMeaning } from './callback-meaning.js'
import { hasFailed } from './deliveries.js'
import type { RequestDetail } from './request-detail.js'
import type { RequestQuery } from './request-query.js'
import type { RequestResult, RequestRow } from './request-row.js'

/** A delivery of a callback that failed, with a number of its own. */
export interface FailedCallback {
  readonly number: number
  readonly result: RequestResult
  readonly hasFault: false
  readonly row: () => RequestRow
  readonly fits: (query: RequestQuery) => boolean
}

/** The callbacks that failed, numbered in the order in which that was seen: a list of them only grows at its end. */
export class FailedCallbacks {
  readonly #parts: PageParts
  readonly #mask: Mask
  readonly #numbers = new Numbers<SandboxCallback>()

  constructor(parts: PageParts, mask: Mask) {
    this.#parts = parts
    this.#mask = mask
  }

  /** The oldest first. */
  list(): FailedCallback[] {
    return this.#numbered().map(([number, callback]) => ({
      number,
      result: resultOf(callback),
      hasFault: false,
      row: () => this.#row(number, callback),
      fits: (query) => this.#fits(number, callback, query),
    }))
  }

  find(number: number): RequestDetail | undefined {
    const found = this.#numbered().find(([own]) => own === number)
    if (found === undefined) return undefined
    const [, callback] = found
    const { attempt, paymentStatus, error } = callback
    const body = this.#mask.answer(callback.answerBody)
    return {
      ...this.#row(number, callback),
      fix: this.#meaning(callback).fix,
      route: null,
      tookOnClockMs: null,
      signature: null,
      scope: null,
      request: { headers: [], body: null },
      answer: body === null ? null : { headers: [], body },
      callback: {
        attempt,
        tries: this.#parts.settings.callbackTries,
        paymentStatus,
        error: error === undefined ? null : this.#mask.url(error),
      },
      isPaymentHeld: this.#parts.ledger.store(callback.kind).find(callback.id) !== undefined,
    }
  }

  #numbered(): [number: number, callback: SandboxCallback][] {
    const failed = this.#parts.callbacks.log.filter(hasFailed)
    return failed
      .map((callback): [number, SandboxCallback] => [this.#numbers.of(callback), callback])
      .sort(([a], [b]) => a - b)
  }

  #meaning({ answer, error, attempt }: SandboxCallback) {
    const { what, fix } = callbackMeaning({
      answer,
      error,
      attempt,
      tries: this.#parts.settings.callbackTries,
    })
    return { what: this.#mask.url(what), fix }
  }

  #row(number: number, callback: SandboxCallback): RequestRow {
    const { at, kind, id, url, answer } = callback
    return {
      type: 'callback',
      key: `c${number}`,
      at,
      method: 'Callback',
      path: this.#mask.url(url),
      result: resultOf(callback),
      isHarmless: false,
      status: answer ?? null,
      code: null,
      fault: null,
      what: this.#meaning(callback).what,
      tookMs: null,
      payment: { kind, id },
      money: null,
    }
  }

  #fits(number: number, callback: SandboxCallback, { search, payment }: RequestQuery): boolean {
    const { kind, id, paymentStatus } = callback
    if (payment !== undefined && (payment.kind !== kind || payment.id !== id)) return false
    const { key, path, status, what } = this.#row(number, callback)
    const text = [key, path, status, what, kind, id, paymentStatus].join(' ').toLowerCase()
    return search.every((word) => text.includes(word))
  }
}

function resultOf({ answer }: SandboxCallback): RequestResult {
  if (answer === undefined) return 'unanswered'
  return answer >= 500 ? 'failed' : 'refused'
}
