import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPayoutFile } from 'merchant-gateway-cli'
import { CallbackReceiver } from '../../src/callbacks/index.js'
import { Sealer } from '../../src/client/auth/seal.js'
import { retryAfterMs } from '../../src/client/http/limit/retry-after.js'
import { clockAheadMs } from '../../src/client/http/retry-policy.js'
import { jsonOf } from '../../src/client/input/values.js'
import { type ClientOptions, GatewayClient } from '../../src/index.js'
import { PaymentSeal } from '../../src/jobs/bullmq/seal.js'
import { paymentJob } from '../../src/jobs/index.js'
import { readState, stateFor } from '../../src/jobs/state.js'
import { parseDelivered } from '../../src/stores/delivered-status.js'
import { anyToken } from '../faults/servers.js'
import { anySigner } from '../faults/support.js'
import { readRefusal } from './answer.js'

/** What reads bytes from outside. It may throw errors of ours, and nothing else. */
export interface Reader {
  /** Its corpus is in the folder of that name. */
  readonly name: string
  /** @returns what somebody is shown of it, where that is not the error. */
  readonly read: (bytes: Buffer) => unknown
  /** Texts in these bytes that may not be shown, beside the canaries of all. */
  readonly secretsIn?: (bytes: Buffer) => readonly string[]
  /** Whether canaries may be shown all the same. */
  readonly mayShow?: (bytes: Buffer) => boolean
}

const payoutSeal = new PaymentSeal({ account: 'a', deriveKey: () => Buffer.alloc(32, 1) }, 'payout')

/** A customer, as the corpus has them. Whole words, so that half of one, which nobody can know, does not count. */
export const canaries = ['CanaryKowalski', 'ACC77CANARY0041', 'bird.canary@nest.example'] as const

const options = {
  baseUrl: 'https://gateway.example',
  merchantCode: 'M-0001',
  signer: anySigner,
  retries: 0,
  deadlineMs: 500,
  rateLimit: false,
} satisfies ClientOptions

const request = {
  paymentRequested: { money: { amount: '10.50', currencyCode: 'EUR' } },
  paymentMethod: {
    paymentMethodCode: 'BANK_TRANSFER',
    account: { accountName: canaries[0], accountNumber: canaries[1] },
    emailAddress: canaries[2],
  },
}

/** A call whose response is these bytes, over a client that has its token already or is asking for one. */
function answers(call: (client: GatewayClient) => Promise<unknown>, aboutTokens = false): Reader['read'] {
  return async (bytes) => {
    const fetch: typeof globalThis.fetch = async (input) =>
      new URL(String(input)).pathname.startsWith('/auth-tokens') === aboutTokens
        ? readRefusal(bytes).response()
        : Response.json({ token: anyToken })
    const client = new GatewayClient({ ...options, fetch, customerAccountPath: '/payins/{idPayin}/account' })
    try {
      await call(client)
    } finally {
      await client.close()
    }
  }
}

/**
 * The words of a refusal, the page of a proxy and some headers are shown, and a lookup knows no customer to look
 * for in them.
 */
function saysItself(bytes: Buffer): boolean {
  const [head = '', ...body] = text(bytes).split('\n\n')
  const isPage = /^\s*<(?:!doctype|h|b)/i.test(body.join('\n\n'))
  return readRefusal(bytes).status >= 300 || isPage || /canary/i.test(head)
}

const text = (bytes: Buffer) => bytes.toString('utf8')

function json(bytes: Buffer): unknown {
  try {
    return JSON.parse(text(bytes))
  } catch {
    return text(bytes)
  }
}

const receiver = () =>
  new CallbackReceiver({
    client: new GatewayClient({
      ...options,
      fetch: () => Promise.resolve(new Response('', { status: 404 })),
    }),
    publicUrl: 'https://shop.example/callbacks',
    secrets: ['a secret of more than thirty-two characters'],
    onPayin: () => {},
    onPayout: () => {},
  })

const payoutFolder = mkdtempSync(join(tmpdir(), 'merchant-gateway-fuzz-'))

async function linesShown(bytes: Buffer, format: 'csv' | 'ndjson'): Promise<unknown> {
  const path = join(payoutFolder, `payouts.${format}`)
  writeFileSync(path, bytes)
  const { problems } = await checkPayoutFile(path)
  return problems.map(({ reason }) => reason)
}

const job = paymentJob(
  {
    payouts: {
      create: () => Promise.reject(new Error('not asked')),
      retrieve: () => Promise.reject(new Error('not asked')),
    },
  },
  'payout',
)

/** What somebody else has written is refused by an error of no class of ours, which the receiver reports. */
function readSeenRecord(record: string): void {
  try {
    parseDelivered(record)
  } catch (error) {
    if (!String(error).includes('the dedupe store holds something')) throw error
  }
}

export const readers: readonly Reader[] = [
  { name: 'create', read: answers((client) => client.payouts.create({ idPayout: 'order-1', ...request })) },
  { name: 'lookup', read: answers((client) => client.payins.retrieve('order-1')), mayShow: saysItself },
  {
    name: 'account',
    read: answers((client) => client.payins.customerAccount('order-1')),
    mayShow: saysItself,
  },
  { name: 'balances', read: answers((client) => client.balances.list()), mayShow: saysItself },
  {
    name: 'token-answer',
    read: answers((client) => client.currencies.list(), true), // The names of its fields are shown, and who gives tokens knows no customer.
    mayShow: () => true,
  },
  {
    name: 'callback',
    read: (bytes) =>
      receiver()
        .receive(text(bytes))
        .then(() => undefined),
  },
  {
    name: 'private-key',
    read: (bytes) => void new GatewayClient({ ...options, signer: undefined, privateKey: bytes }),
    secretsIn: (bytes) =>
      text(bytes)
        .split(/\s+/)
        .filter((line) => line.length >= 20),
  },
  { name: 'payout-csv', read: (bytes) => linesShown(bytes, 'csv') },
  { name: 'payout-ndjson', read: (bytes) => linesShown(bytes, 'ndjson') },
  { name: 'token', read: (bytes) => void new GatewayClient(options).authTokens.decode(text(bytes)) },
  {
    name: 'queue-record',
    read(bytes) {
      const stored = json(bytes)
      payoutSeal.open('payout-1', stored)
      stateFor(stored, 2)
      readState(stored)
    },
  },
  {
    name: 'store-record',
    read(bytes) {
      readSeenRecord(text(bytes))
      new Sealer([Buffer.alloc(32, 1)]).open(text(bytes), 'place')
    },
  },
  {
    name: 'job-state',
    // A state that says that the payout is followed leads to a lookup, which no engine's record may break.
    read: (bytes) =>
      job({ idPayout: 'order-1', load: () => undefined }, { starts: 2, state: json(bytes) }).then(
        () => undefined,
        (error: unknown) => {
          if (!(error instanceof Error && error.message === 'not asked')) throw error
        },
      ),
  },
  {
    name: 'header',
    read(bytes) {
      const ms = retryAfterMs(text(bytes), 0)
      if (ms !== undefined && !(ms >= 0 && ms < Number.POSITIVE_INFINITY)) throw new RangeError('no time')
      clockAheadMs(text(bytes), 0)
    },
  },
  {
    name: 'json',
    read(bytes) {
      jsonOf(text(bytes))
    },
  },
]
