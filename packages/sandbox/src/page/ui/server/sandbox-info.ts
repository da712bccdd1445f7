import { effect, signal } from '@preact/signals'
import type { Info } from '../../api/controls/controls.js'
import { isLive } from './live.js'
import { info } from './server.js'

/** What does not change while the sandbox runs; null until the first answer. */
export const sandboxInfo = signal<Info | null>(null)

// When the connection is back, it may be to another sandbox at the same address.
effect(() => {
  if (!isLive.value) return
  void info().then(
    (answer) => {
      sandboxInfo.value = answer
    },
    () => undefined,
  )
})
