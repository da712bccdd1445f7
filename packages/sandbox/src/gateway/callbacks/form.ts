import * as z from 'zod/mini'
import { check, exactly, number, text, whole } from '../input/check.js'

/**
 * How one callback looks and comes. Section 6 shows neither its method nor its content nor its delivery, so
 * a receiver has to take every form; whatever is left out is as the sandbox sends callbacks by itself.
 *
 * @example
 * ```ts
 * const payin = sandbox.payins.get(idPayin)
 * payin.sendCallback({ body: '' }) // empty
 * payin.sendCallback({ body: '{"event":"payin.reviewed"}' }) // an event that nobody knows
 * payin.sendCallback({ body: 'x'.repeat(1_000_000), contentType: 'text/plain' })
 * payin.sendCallback({ body: '{ }', chunks: 3, chunkGapMs: 50 }) // chunked and slow
 * payin.sendCallback({ method: 'GET' })
 * payin.sendCallback({ times: 25 }) // a burst of duplicates
 * payin.sendCallback({ afterMs: 5000 }) // behind those that are sent meanwhile
 * ```
 */
export interface CallbackForm {
  /** `POST` by default. GET and HEAD have no body. */
  readonly method?: string | undefined
  /** What the option `callbackBody` makes of the payment, by default; `''` for none. */
  readonly body?: string | undefined
  /** `application/json` by default; `''` for none. */
  readonly contentType?: string | undefined
  /** Sends the body in so many pieces, chunked and without a Content-Length. */
  readonly chunks?: number | undefined
  /** Between two pieces, in real time: 0 by default. */
  readonly chunkGapMs?: number | undefined
  /** How often the same callback is sent, at once: 1 by default. */
  readonly times?: number | undefined
  /** Sends it so much later, by the sandbox's clock, with the content of now: callbacks sent meanwhile overtake it. */
  readonly afterMs?: number | undefined
}

const isCount = 'a whole number of at least 1'
const milliseconds = z.optional(number('a number of milliseconds, 0 or more', 0))

export const callbackFormShape = {
  method: z.optional(
    text('the name of an HTTP method, such as GET').check(
      z.regex(/^[A-Za-z-]+$/, 'must be the name of an HTTP method, such as GET'),
    ),
  ),
  body: z.optional(z.string('must be a string')),
  contentType: z.optional(z.string('must be a string')),
  chunks: z.optional(whole(isCount, 1)),
  chunkGapMs: milliseconds,
  times: z.optional(whole(isCount, 1)),
  afterMs: milliseconds,
}

const callbackForm = exactly(callbackFormShape)

/** @throws naming what is wrong with the form (`Error`). */
export function checkForm(form: unknown): void {
  check(callbackForm, form, (path) => `sendCallback({ ${path.join('.')} })`)
}
