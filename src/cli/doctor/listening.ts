import { Limit } from '../../client/input/limit.js'
import { networkCode } from '../network-problem.js'

/** Who answers at an address. */
export type Listening =
  | { readonly kind: 'nobody'; readonly code: string }
  | { readonly kind: 'answered'; readonly status: number }

const timeoutMs = 5000

/** Asks with HEAD, which makes nothing happen, and without the proxy that the environment may name. */
export async function whoListens(url: string): Promise<Listening> {
  const { Agent, request } = await import('undici')
  const dispatcher = new Agent()
  try {
    const { statusCode, body } = await request(url, {
      method: 'HEAD',
      dispatcher,
      signal: new Limit({ ms: timeoutMs }).signal,
    })
    await body.dump()
    return { kind: 'answered', status: statusCode }
  } catch (error) {
    return { kind: 'nobody', code: networkCode(error) }
  } finally {
    await dispatcher.destroy()
  }
}
