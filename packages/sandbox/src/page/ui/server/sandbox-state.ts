import { signal } from '@preact/signals'
import type { SandboxState } from '../../api/controls/controls.js'
import { attempt } from '../parts/announce.js'
import { oneAtATime } from '../parts/one-at-a-time.js'
import { onNews } from './live.js'
import { readState } from './server.js'

/** What the bar shows; null until the first answer. */
export const sandboxState = signal<SandboxState | null>(null)

const load = oneAtATime(async () => {
  sandboxState.value = await readState().catch(() => sandboxState.peek())
})

onNews(load)

/** Does something on the sandbox, announces the result, and shows the new state in the bar. */
export function act(work: () => Promise<SandboxState>, done: string): Promise<boolean> {
  return attempt(async () => {
    sandboxState.value = await work()
  }, done)
}
