import { computed, effect, signal } from '@preact/signals'
import type { PlayOrder } from '../../control/orders.js'
import type { Rehearsals, Rehearsed } from '../../control/rehearse/rehearse-runner.js'
import { announce, attempt } from '../parts/announce.js'
import { count } from '../parts/format.js'
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

/** The rehearsal that the address names, else the newest. */
export const chosen = computed<Rehearsed | null>(() => {
  const { results = [] } = rehearsals.value ?? {}
  const key = route.value.query.get('result')
  return results.find((one) => String(one.key) === key) ?? results[0] ?? null
})

const tones = {
  right: 'good',
  wrong: 'bad',
  'not yet': 'bad',
  'could not tell': 'calm',
  'not played': 'calm',
} as const

/** What a verdict is called, and its colour. */
export function verdictOf({ outcome }: Pick<Rehearsed, 'outcome'>) {
  return { tone: tones[outcome], words: outcome }
}

let before: Rehearsals['playing'] = null
// Whoever doesn't see the page waits for the end, too.
effect(() => {
  const { playing = null, results = [] } = rehearsals.value ?? {}
  if (before !== null && playing === null && results.length > 0) announceEnd(results.slice(0, before.all))
  before = playing
})

function announceEnd(played: readonly Rehearsed[]): void {
  const wrong = played.filter((one) => verdictOf(one).tone === 'bad').length
  const [newest] = played
  const text =
    played.length > 1 || newest === undefined
      ? `${count(played.length, 'case')} played, ${wrong} wrong.`
      : `${verdictOf(newest).words}: ${newest.sentence}`
  announce(text, wrong > 0)
}

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
