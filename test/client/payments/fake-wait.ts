import type { GatewayClient, Payin, WaitOptions } from '../../../src/index.js'
import { anyToken } from '../../faults/servers.js'
import { clientOf } from '../../faults/support.js'

export const withStatus = (status: string): Payin => ({ process: { status } })

/** A gateway that answers status requests like this, the last answer again and again, once `lookMs` have gone. */
export function statusGateway(answers: readonly (object | (() => Response))[], lookMs = 0) {
  const startedAt = performance.now()
  const lookedAt: number[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input).includes('/auth-tokens')) return Response.json({ token: anyToken })
    const answer = answers[Math.min(lookedAt.length, answers.length - 1)]
    lookedAt.push(performance.now() - startedAt)
    await new Promise<void>((resolve, reject) => {
      if (lookMs === 0) return resolve()
      const timer = setTimeout(resolve, lookMs)
      init?.signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(new Error('given up'))
      })
    })
    return typeof answer === 'function' ? answer() : Response.json(answer)
  }
  const options = { fetch, rateLimit: false, retries: 0, timeoutMs: 60_000, deadlineMs: 60_000 } as const
  return { lookedAt, client: clientOf('https://gateway.example', 'fetch', options) }
}

/** What a receiver of callbacks says of a payin: as it was just seen, or that something may have happened to it. */
export function receiverOf(client: GatewayClient, callbacksArrive = false) {
  const { payin } = client.attachCallbacks({
    urlFor: () => 'https://shop.example/',
    arrive: () => callbacksArrive,
  })
  return (seen?: Payin, id = 'order-1') => (seen === undefined ? payin.changed?.(id) : payin.seen(id, seen))
}

interface More {
  readonly lookMs?: number
  readonly callbacksArrive?: boolean
}

/** A wait for a payin: when it looked, which statuses it told of, and what tells it of callbacks. */
export function wait(
  answers: Parameters<typeof statusGateway>[0],
  options: WaitOptions,
  { lookMs, callbacksArrive }: More = {},
) {
  const { client, lookedAt } = statusGateway(answers, lookMs)
  const notify = receiverOf(client, callbacksArrive)
  const yielded: Payin[] = []
  const run = async () => {
    const watching = client.payins.watch('order-1', options)
    for (;;) {
      const step = await watching.next()
      if (step.done === true) return step.value
      yielded.push(step.value)
    }
  }
  const seen = () => yielded.map(({ process }) => process?.status)
  return { result: run(), lookedAt, seen, yielded, notify }
}

/** How a promise ended, without an unhandled rejection on the way. */
export const outcome = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
