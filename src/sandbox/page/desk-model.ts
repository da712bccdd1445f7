import { signal } from '@preact/signals'
import type { Desk } from '../control/desk-messages.js'
import { attempt } from './announce.js'
import { readDesk } from './desk-server.js'
import { onNews } from './live.js'
import { oneAtATime } from './one-at-a-time.js'

/** What the bar shows; null until the first answer. */
export const desk = signal<Desk | null>(null)

const load = oneAtATime(async () => {
  desk.value = await readDesk().catch(() => desk.peek())
})

onNews(load)

/** Does something on the sandbox, says what came of it, and shows the bar as it is then. */
export function act(work: () => Promise<Desk>, done: string): Promise<boolean> {
  return attempt(async () => {
    desk.value = await work()
  }, done)
}
