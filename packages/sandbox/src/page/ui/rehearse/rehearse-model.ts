import { computed, signal } from '@preact/signals'
import type { PlayOrder } from '../../api/orders.js'
import type { Rehearsals, Rehearsed } from '../../api/rehearse/rehearse-runner.js'
import { attempt } from '../parts/announce.js'
import { oneAtATime } from '../parts/one-at-a-time.js'
import { putQuery, route } from '../route/route.js'
import { onNews } from '../server/live.js'
import { playCases, readRehearsals } from '../server/server.js'

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

/** The endpoint whose answer goes wrong, as the address names it; null for the create. */
export const endpoint = computed(() => route.value.query.get('route'))

/** The rehearsal that the address names, else the newest. */
export const chosen = computed<Rehearsed | null>(() => {
  const { results = [] } = rehearsals.value ?? {}
  const name = route.value.query.get('result')
  return results.find((one) => one.name === name && one.route === endpoint.value) ?? results[0] ?? null
})

/** The colour of each verdict. */
export const tones = {
  right: 'good',
  wrong: 'bad',
  'not yet': 'bad',
  'could not tell': 'calm',
  'not played': 'calm',
} as const

/** Does something on the sandbox, and shows the rehearsals as they are then. */
export function change(work: () => Promise<Rehearsals>, done: string): Promise<boolean> {
  return attempt(async () => {
    rehearsals.value = await work()
  }, done)
}

/** Plays a case, or all; the result is shown in place of the one that the address named. */
export function begin(order: PlayOrder): Promise<boolean> {
  putQuery({ result: '' })
  return change(() => playCases(order), 'It begins.')
}
