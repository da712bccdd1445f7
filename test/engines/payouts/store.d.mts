import type { PayoutAccount, PayoutQueue, PayoutStoreOptions } from '../../../src/payments/bullmq/index.js'

export function ownQueue(
  engine: 'redis' | 'postgres',
  client: PayoutAccount,
): Promise<{
  readonly queue: PayoutQueue
  readonly options: PayoutStoreOptions
  close(): Promise<void>
}>
