// A worker in a process of its own, at the gateway that the environment names.
import type { WorkerOptions } from 'bullmq'
import { GatewayClient } from '../../../src/index.js'
import { checkWorker, paymentProcessor, workerOptions } from '../../../src/jobs/bullmq/index.js'
import type { PaymentJobOptions } from '../../../src/jobs/index.js'
import { type Engine, OwnStore } from '../../jobs/bullmq/own-store.js'

export interface WorkerSettings {
  readonly engine: Engine
  readonly name: string
  readonly rateLimit: number
  readonly locks: Partial<WorkerOptions>
  readonly polls: PaymentJobOptions
}

const { engine, name, rateLimit, locks, polls }: WorkerSettings = JSON.parse(process.argv[2] ?? '')
const client = GatewayClient.fromEnv({ rateLimit, timeoutMs: 2_000, retries: 0 })
const processor = paymentProcessor(client, 'payout', polls)
checkWorker(new OwnStore(engine, name).worker(processor, { ...workerOptions, ...locks }))
