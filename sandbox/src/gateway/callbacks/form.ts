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
  readonly method?: string
  /** What the option `callbackBody` makes of the payment, by default; `''` for none. */
  readonly body?: string
  /** `application/json` by default; `''` for none. */
  readonly contentType?: string
  /** Sends the body in so many pieces, chunked and without a Content-Length. */
  readonly chunks?: number
  /** Between two pieces, in real time: 0 by default. */
  readonly chunkGapMs?: number
  /** How often the same callback is sent, at once: 1 by default. */
  readonly times?: number
  /** Sends it so much later, by the sandbox's clock, with the content of now: callbacks sent meanwhile overtake it. */
  readonly afterMs?: number
}

const isText = (value: unknown) => typeof value === 'string'
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 1
const isDuration = (value: unknown) => Number.isFinite(value) && Number(value) >= 0

const checks: Readonly<
  Record<keyof CallbackForm, readonly [isRight: (value: unknown) => boolean, expected: string]>
> = {
  method: [
    (value) => typeof value === 'string' && /^[A-Za-z-]+$/.test(value),
    'the name of an HTTP method, such as GET',
  ],
  body: [isText, 'a string'],
  contentType: [isText, 'a string'],
  chunks: [isCount, 'a whole number of at least 1'],
  chunkGapMs: [isDuration, 'a number of milliseconds, 0 or more'],
  times: [isCount, 'a whole number of at least 1'],
  afterMs: [isDuration, 'a number of milliseconds, 0 or more'],
}

/** @throws Error that names what is wrong with the form */
export function checkForm(form: CallbackForm): void {
  for (const [name, value] of Object.entries(form)) {
    const check = Object.entries(checks).find(([known]) => known === name)?.[1]
    if (check === undefined) throw new Error(`sendCallback: there is no ${JSON.stringify(name)}.`)
    if (value !== undefined && !check[0](value)) {
      throw new Error(`sendCallback({ ${name} }) must be ${check[1]}.`)
    }
  }
}

/** A body in pieces. It ends early when the signal fires. */
export async function* inChunks(
  body: string,
  chunks: number,
  gapMs: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(body)
  const size = Math.max(1, Math.ceil(bytes.length / chunks))
  for (let start = 0; start < bytes.length; start += size) {
    if (start > 0 && gapMs > 0) await pause(gapMs, signal)
    signal.throwIfAborted()
    yield bytes.subarray(start, start + size)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    timer.unref()
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
