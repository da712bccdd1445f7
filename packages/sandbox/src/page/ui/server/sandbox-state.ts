import { effect, signal } from '@preact/signals'
import type { Info, SandboxState } from '../../api/actions/state.js'
import { attempt } from '../parts/announce.js'
import { oneAtATime } from '../parts/one-at-a-time.js'
import { isConnected, onChange } from './live.js'
import { info, readState } from './server.js'

export const sandboxState = signal<SandboxState | null>(null)
/** What does not change while the sandbox runs; null until the first response. */
export const sandboxInfo = signal<Info | null>(null)

onChange(
  oneAtATime(async () => {
    sandboxState.value = await readState().catch(() => sandboxState.peek())
  }),
)

// When the connection is back, it may be to another sandbox at the same address.
effect(() => {
  if (!isConnected.value) return
  info().then(
    (found) => (sandboxInfo.value = found),
    () => undefined,
  )
})

/** Does something on the sandbox, announces the result, and shows the new state in the bar. */
export function act(work: () => Promise<SandboxState>, done: string): Promise<boolean> {
  return attempt(async () => {
    sandboxState.value = await work()
  }, done)
}
