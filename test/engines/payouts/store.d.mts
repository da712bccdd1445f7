import type { PaymentAccount, PaymentQueue, QueueStoreOptions } from '../../../src/jobs/bullmq/index.js'

export function ownQueue(
  engine: 'redis' | 'postgres',
  client: PaymentAccount,
): Promise<{
  readonly queue: PaymentQueue<'payout'>
  readonly options: QueueStoreOptions
  close(): Promise<void>
}>
