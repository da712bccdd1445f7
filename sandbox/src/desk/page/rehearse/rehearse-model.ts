import { computed, effect, signal } from '@preact/signals'
import type { Rehearsals, Rehearsed } from '../../control/messages/rehearse.js'
import type { PlayOrder } from '../../control/orders.js'
import { announce, attempt } from '../parts/announce.js'
import { oneAtATime } from '../parts/one-at-a-time.js'
import { putQuery, route } from '../route/route.js'
import { onNews } from '../server/live.js'
import { playCase, readRehearsals } from '../server/server.js'
import { chosenOf, noLink } from './rehearse-link.js'

/** What the sandbox knows of rehearsals; null until the first answer. */
export const rehearsals = signal<Rehearsals | null>(null)

/** Whether the sandbox did not answer when it was last asked. */
export const isAway = signal(false)

const isShown = computed(() => route.value.place.view === 'rehearse')

const load = oneAtATime(async () => {
  if (!isShown.peek()) return
  const found = await readRehearsals().catch(() => undefined)
  isAway.value = found === undefined
  if (found !== undefined) rehearsals.value = found
})

onNews(load)
isShown.subscribe(() => void load())

/** The rehearsal that the address names, else the newest. */
export const chosen = computed<Rehearsed | null>(() => {
  return chosenOf(rehearsals.value?.results ?? [], route.value.query)
})

let played: string | null = null
// Whoever doesn't see the page waits for the verdict, too.
effect(() => {
  const { playing = null, results: [newest] = [] } = rehearsals.value ?? {}
  if (played !== null && playing === null && newest?.name === played) {
    announce(`${newest.outcome}: ${newest.sentence}`, newest.outcome === 'failed')
  }
  played = playing
})

/** Does something on the sandbox, and shows the rehearsals as they are then. */
export function change(work: () => Promise<Rehearsals>, done: string): Promise<boolean> {
  return attempt(async () => {
    rehearsals.value = await work()
  }, done)
}

/** Plays a case; its result is shown in place of the one that the address named. */
export function begin(order: PlayOrder): Promise<boolean> {
  putQuery(noLink)
  return change(() => playCase(order), 'It begins.')
}
