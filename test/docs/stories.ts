import { expect } from 'vitest'
import { createSandbox, expectExactlyOnce, type Sandbox } from '../../packages/sandbox/src/index.js'
import { GatewayClient, isGatewayError, money } from '../../src/index.js'
import { type Moment, Worker } from './crashing.js'
import { seenRequests } from './drawings.js'

/** What happened, in the words of the table, and what the gateway was asked until the end of the drawing. */
export interface Story {
  readonly gateway: string
  readonly knows: string
  readonly next: string
  readonly requests: readonly string[]
}

export const createRoute = 'POST /payouts/{idPayout}'
const idPayout = 'w-1'
/** Milliseconds after which the row of a process that died is anybody's. */
const afterTheLease = 10_000

/** A life that ends too early, and the next one, which takes up what is open. */
export async function dieAndResume(
  end: Moment | 'before the answer',
  { addsAgain = false } = {},
): Promise<Story> {
  await using sandbox = createSandbox({ rateLimit: false })
  await sandbox.listen()
  using worker = new Worker(sandbox)
  const fault = { route: createRoute, action: { kind: 'timeout', processed: true } } as const
  if (end === 'before the answer') sandbox.fault(fault)
  const how = end === 'before the answer' ? { killWhen: accepted(sandbox) } : { killAt: end }
  expect(await worker.live({ adds: true, ...how })).toMatchObject({ signal: 'SIGKILL' })
  const gateway = held(sandbox)
  const knows = worker.state === undefined || worker.state === 'open' ? 'nothing' : worker.state
  const second = await worker.live({ adds: addsAgain, now: afterTheLease })
  expect(second).toMatchObject({ code: 0, stderr: '' })
  expect(worker.state).toBe('sent')
  expectExactlyOnce(sandbox, idPayout)
  const next = addsAgain ? 'there is no id yet' : second.stdout.trim().replace('w-1: sent, ', '')
  return { gateway, knows, next, requests: asked(sandbox) }
}

/** A create that fails, and the same again. */
export async function failAndRepeat(kind: 'drop-before' | 'drop-after'): Promise<Story> {
  await using sandbox = createSandbox({ rateLimit: false })
  sandbox.fault({ route: createRoute, action: { kind } })
  const knows = await create(sandbox)
  const gateway = held(sandbox)
  const next = await create(sandbox)
  expectExactlyOnce(sandbox, idPayout)
  return { gateway, knows, next, requests: asked(sandbox) }
}

/** One create in a client of its own, without retries, in the words of the table. */
export async function create(
  sandbox: Sandbox,
  { amount = '25.00', timeoutMs = 30_000 } = {},
): Promise<string> {
  await using client = new GatewayClient({
    ...sandbox.clientOptions(),
    retries: 0,
    now: () => sandbox.clock.now(),
  })
  try {
    // The token first: only the create is to run into its limit.
    await client.payouts.retrieve('none').catch(() => {})
    const payout = await client.payouts.create(
      {
        idPayout,
        paymentRequested: { money: money(amount, 'EUR') },
        paymentMethod: {
          paymentMethodCode: 'BANK_TRANSFER',
          account: { accountNumber: '000123-0123456789' },
        },
      },
      { timeoutMs },
    )
    return `replayed: ${payout.replayed}`
  } catch (error) {
    if (!isGatewayError(error)) throw error
    return `${error.code}, ${error.outcome}`
  }
}

export function held(sandbox: Sandbox): string {
  return ['no payout', 'one payout'][sandbox.payouts.size] ?? `${sandbox.payouts.size} payouts`
}

export function asked(sandbox: Sandbox): string[] {
  return seenRequests(sandbox.requests, idPayout)
}

async function accepted(sandbox: Sandbox): Promise<void> {
  // Looks again every 10 ms: turning without a pause would take the processor from the child.
  while (sandbox.payouts.size === 0) await new Promise((resolve) => setTimeout(resolve, 10))
}
