import * as bullmq from 'bullmq'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../../packages/sandbox/src/index.js'
import { type ClientSettings, GatewayClient } from '../../../src/index.js'
import { Runs } from '../../../src/jobs/bullmq/close-in-time.js'
import { type PaymentQueue, paymentQueue, paymentWorker } from '../../../src/jobs/bullmq/index.js'
import { jobSeal } from '../../../src/jobs/bullmq/job-seal.js'
import { scopedName } from '../../../src/jobs/bullmq/open-queue.js'
import type {
  PaymentQueueOptions,
  PaymentWorkerOptions,
  QueueStoreOptions,
} from '../../../src/jobs/bullmq/types.js'
import { paymentJob } from '../../../src/jobs/index.js'
import { databaseUrl, redisUrl } from '../../support/engines.js'
import { type OwnStore, ownStore } from './support.js'

/** Looks that tests don't wait for. */
export const quick = { firstPollMs: 20, longestPollMs: 50 }

interface SetUp {
  readonly gateway?: SandboxOptions
  readonly client?: Partial<ClientSettings>
  readonly queue?: Partial<PaymentQueueOptions>
}

/** For the tests of one file on one engine: a store of their own, and what is ended after each of them, last first. */
export function ownStoreForAll(engine: 'redis' | 'postgres') {
  let store: OwnStore | undefined
  const open: AsyncDisposable[] = []
  const there = () => {
    if (store === undefined) throw new Error('no store yet')
    return store
  }

  beforeAll(async () => {
    store = await ownStore(engine)
  })
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]()
  })
  afterAll(() => store?.[Symbol.asyncDispose]())

  return { there, open }
}

/** Tests of payouts on one engine: for each a gateway, a client and a queue. */
export function payoutTests(engine: 'redis' | 'postgres') {
  const { there, open } = ownStoreForAll(engine)
  let number = 0

  return async (given: SetUp = {}) => {
    const sandbox = createSandbox({ rateLimit: false, settleAfterMs: 0, ...given.gateway })
    const client = new GatewayClient({ ...sandbox.clientOptions(), rateLimit: false, ...given.client })
    const options = { ...there().options, name: `queue-${++number}` }
    const inStore = { ...options, name: scopedName(options.name, 'payout', client) }
    const queue = await paymentQueue(client, 'payout', { ...options, ...given.queue })
    open.push(sandbox, client, queue)
    return {
      sandbox,
      client,
      queue,
      options,
      inStore,
      /** What runs a job of this queue by hand. */
      parts: {
        bullmq,
        kind: 'payout' as const,
        send: paymentJob(client, 'payout'),
        seal: jobSeal(client, 'payout', options),
        load: undefined,
        onChange: undefined,
        onError: () => undefined,
        runs: new Runs(),
        needsLoad: () => undefined,
        looksFirst: () => false,
        clockAgrees: async () => true,
        lockMs: 1000,
      },
      /** The gateway refuses all payouts from now on, or the one of this id. */
      refuse: (more: { readonly id?: string; readonly message?: string } = {}) => {
        const { id, message = 'operator unknown' } = more
        const route = 'POST /payouts/{idPayout}' as const
        const action = { kind: 'status', status: 422, body: { message } } as const
        return sandbox.fault({
          route,
          times: Number.POSITIVE_INFINITY,
          action,
          ...(id !== undefined && { id }),
        })
      },
      contents: () => there().contents(),
      spoil: (jobId: string) => there().spoil(inStore.name, jobId),
      work: async (more: Partial<PaymentWorkerOptions<'payout'>> = {}) => {
        const worker = await paymentWorker(client, 'payout', { ...options, job: quick, ...more })
        open.push(worker)
        return worker
      },
      /** BullMQ's own queue, as somebody has it who can write to the store. */
      raw: (name = inStore.name) => {
        const raw = rawQueue(engine, { ...inStore, name })
        open.push({ [Symbol.asyncDispose]: () => raw.close() })
        return raw
      },
      /** A job as it is in the store. */
      jobIn: async (jobId: string) => {
        const raw = rawQueue(engine, inStore)
        const job = await raw.getJob(jobId)
        await raw.close()
        if (job === undefined) throw new Error('no such job')
        return job
      },
      /** A worker that takes one job, and is dead from then on. */
      takeAndDie: async (lockMs = 50) => {
        const worker = rawWorker(engine, inStore, lockMs)
        const job = await worker.getNextJob(`dead-${++number}`, { block: false })
        return {
          job,
          takenBack: async () => {
            await worker.startStalledCheckTimer()
            while ((await job?.getState()) === 'active')
              await new Promise((resolve) => setTimeout(resolve, 20))
          },
          die: () => worker.close(true),
        }
      },
    }
  }
}

/** BullMQ's own worker, with a lock that nobody renews. */
function rawWorker(
  engine: 'redis' | 'postgres',
  { name = '', prefix = '', connection }: QueueStoreOptions,
  lockDuration: number,
) {
  const common = { prefix, lockDuration, stalledInterval: 20, maxStalledCount: 1000, autorun: false }
  if (engine === 'redis') {
    return new bullmq.Worker(name, undefined, { ...common, connection: { url: redisUrl } })
  }
  const at = postgresAt(connection)
  return new bullmq.Worker(name, undefined, { ...common, connection: at }, bullmq.createPostgresBackend)
}

function rawQueue(engine: 'redis' | 'postgres', { name = '', prefix = '', connection }: QueueStoreOptions) {
  if (engine === 'redis') return new bullmq.Queue(name, { prefix, connection: { url: redisUrl } })
  return new bullmq.Queue(name, { connection: postgresAt(connection) }, bullmq.createPostgresBackend)
}

function postgresAt(connection: QueueStoreOptions['connection']) {
  const schema = typeof connection === 'object' && 'schema' in connection ? connection.schema : undefined
  return { connectionString: databaseUrl, ...(schema === undefined ? {} : { schema }) }
}

/** Whether nothing of a queue is on its way any more. */
export async function isOver(queue: PaymentQueue<'payout'>): Promise<boolean> {
  const { waiting, active, following } = await queue.progress()
  return waiting + active + following === 0
}
