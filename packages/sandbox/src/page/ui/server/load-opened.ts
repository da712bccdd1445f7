import { effect, type ReadonlySignal, signal } from '@preact/signals'
import { oneAtATime } from '../parts/one-at-a-time.js'
import { onChange } from './live.js'
import { Refusal } from './server.js'

const RETRY_MS = 2000

/** What is open: null until the sandbox has responded, 'gone' when it does not hold it, 'away' when it does not respond. */
export type Opened<Found> = Found | 'gone' | 'away' | null

/** Reads what is open: again with every change, and again after a while when the sandbox does not respond. */
export function loadOpened<Wanted, Found>(
  opened: ReadonlySignal<Wanted | null>,
  read: (wanted: Wanted) => Promise<Found>,
): ReadonlySignal<Opened<Found>> {
  const current = signal<Opened<Found>>(null)
  let shown = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  const load = oneAtATime(async () => {
    const wanted = opened.peek()
    clearTimeout(timer)
    if (wanted === null) return
    try {
      const found = await read(wanted)
      if (opened.peek() !== wanted) return
      // A change is about anything; most leave this one as it is.
      const text = JSON.stringify(found)
      if (text === shown) return
      shown = text
      current.value = found
    } catch (error) {
      if (opened.peek() !== wanted) return
      if (error instanceof Refusal) current.value = 'gone'
      else {
        // What is shown already stays; the header says that the connection is lost.
        if (current.peek() === null) current.value = 'away'
        timer = setTimeout(load, RETRY_MS)
      }
    }
  })

  effect(() => {
    opened.value
    shown = ''
    current.value = null
    load()
  })
  onChange(load)
  return current
}
