import { limited } from '../../common/limit.js'
import { beginningOf } from '../../gateway/callbacks/delivery.js'
import { networkProblem } from '../failure.js'
import type { Paint } from '../text.js'
import type { HandedCallback } from './events.js'

export interface Forwarded {
  readonly tookMs: number
  readonly status?: number
  readonly problem?: string
}

const patienceMs = 10_000

export async function forward(
  { url, method, headers, body }: HandedCallback,
  forwardTo: URL,
): Promise<Forwarded & { readonly body?: string | undefined }> {
  const target = new URL(forwardTo)
  // Piece by piece: a path that begins with two slashes would name a host of its own.
  target.pathname = url.pathname
  target.search = url.search
  const content = body === '' || /^(?:GET|HEAD)$/.test(method) ? {} : { body }
  const start = performance.now()
  const tookMs = () => Math.round(performance.now() - start)
  try {
    return await limited({ ms: patienceMs }, async (signal) => {
      // Where a redirect leads, the gateway would not go either.
      const response = await fetch(target, { method, headers, ...content, redirect: 'manual', signal })
      return { tookMs: tookMs(), status: response.status, body: await beginningOf(response) }
    })
  } catch (error) {
    return { tookMs: tookMs(), problem: networkProblem(error) }
  }
}

export function lineOf({ status, tookMs, problem }: Forwarded, paint: Paint): string {
  if (status === undefined) return `${paint('red', 'no response')} after ${tookMs} ms: ${problem}`
  return `${paint(status >= 200 && status < 300 ? 'green' : 'red', String(status))} in ${tookMs} ms`
}
