import type { PayoutQueue, PayoutQueueOptions } from '../../../src/bullmq/index.js'

export function ownQueue(engine: 'redis' | 'postgres'): Promise<{
  readonly queue: PayoutQueue
  readonly options: PayoutQueueOptions
  close(): Promise<void>
}>
