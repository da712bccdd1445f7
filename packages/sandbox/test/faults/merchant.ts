import { afterEach } from 'vitest'
import type { CallbackRequest, Sandbox, SandboxOptions } from '../../src/index.js'
import { bearer, create, masterToken, ORIGIN, paymentBody, SIGNED_AT, stillSandbox } from '../support.js'

const open: Sandbox[] = []
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close()
})

/** A callback that arrived: how long after the start of the sandbox's clock, and what it carried. */
export type Received = readonly [ms: number, status: string]

export interface Merchant {
  readonly sandbox: Sandbox
  readonly token: string
  readonly received: readonly Received[]
  /** Creates a payout. */
  send(id?: string, init?: RequestInit): Promise<Response>
  /** Looks it up. */
  read(id?: string): Promise<Response>
}

/** A merchant with a token, whose callbacks carry the payment's status. */
export async function merchant(
  options: SandboxOptions = {},
  body = paymentBody({ callbackUrl: 'https://shop.example/callbacks' }),
): Promise<Merchant> {
  const received: Received[] = []
  const sandbox = stillSandbox({
    deliver: async (callback: CallbackRequest) => {
      received.push([sandbox.clock.now() - SIGNED_AT, callback.body])
      return { status: 200 }
    },
    callbackBody: ({ status }) => status,
    ...options,
  })
  open.push(sandbox)
  const token = await masterToken(sandbox)
  return {
    sandbox,
    token,
    received,
    send: (id = 'one', init = {}) =>
      sandbox.fetch(`${ORIGIN}/payouts/${id}`, { ...create(token, body), ...init }),
    read: (id = 'one') => sandbox.fetch(`${ORIGIN}/payouts/${id}`, { headers: bearer(token) }),
  }
}

/** What a client meets. */
export interface Seen {
  status?: number
  body?: unknown
  error?: unknown
}

/** An exchange to its end: the status and the body, and what broke. */
export async function meet(call: Promise<Response>): Promise<Seen> {
  const seen: Seen = {}
  try {
    const response = await call
    seen.status = response.status
    seen.body = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) seen.body += decoder.decode(chunk)
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    seen.error = cause instanceof Error && 'code' in cause ? cause.code : cause
  }
  return seen
}
