import type { Processor, Queue, Worker } from 'bullmq'

export interface Place {
  readonly engine: 'redis' | 'postgres'
  readonly name: string
}
export function openQueue(place: Place): Queue
export function openWorker(place: Place, process: Processor, options: object): Worker
export function dropAll(place: Place): Promise<void>
