import type { PaymentsAdded } from '../../../src/jobs/bullmq/index.js'

interface Adding {
  readonly added: PaymentsAdded
  readonly ms: number
  readonly mostMB: number
}
export function volumeProof(run: {
  readonly engine: 'redis' | 'postgres'
  readonly count: number
  readonly wakes?: number
}): Promise<{
  readonly first: Adding
  readonly again: Adding
  readonly total: number
  readonly waitingWhenWoken: number
  readonly lookMs: readonly number[]
}>
