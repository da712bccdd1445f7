import { channel } from 'node:diagnostics_channel'
import { afterAll, beforeAll } from 'vitest'

/** Answers that drift are the subject here; whoever listens to the channel is not warned of them. */
export function listenToDrift(): void {
  const drift = channel('merchant-gateway:drift')
  const ignore = () => {}
  beforeAll(() => drift.subscribe(ignore))
  afterAll(() => void drift.unsubscribe(ignore))
}
