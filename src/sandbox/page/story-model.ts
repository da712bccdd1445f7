import { effect, signal } from '@preact/signals'
import type { Story } from '../control/messages.js'
import { onNews } from './live.js'
import { oneAtATime } from './one-at-a-time.js'
import { opened } from './route.js'
import { Refusal, story } from './server.js'

/** The story of the payment that is open; 'gone' when the sandbox does not hold it. */
export const current = signal<Story | 'gone' | null>(null)
let shown = ''

const load = oneAtATime(async () => {
  const wanted = opened.peek()
  if (wanted === null) return
  try {
    const found = await story(wanted.kind, wanted.id)
    if (opened.peek() !== wanted) return
    // News are about all payments; most leave this story as it is.
    const text = JSON.stringify(found)
    if (text === shown) return
    shown = text
    current.value = found
  } catch (error) {
    if (opened.peek() === wanted && error instanceof Refusal) current.value = 'gone'
  }
})

effect(() => {
  opened.value
  shown = ''
  current.value = null
  load()
})

onNews(load)
