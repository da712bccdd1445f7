import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Opened } from '../server/live.js'

interface Props<Found> {
  readonly thing: 'payment' | 'request'
  readonly list: string
  readonly current: ReadonlySignal<Opened<Found>>
  /** That the sandbox does not hold it. */
  readonly gone: ComponentChildren
  readonly children: (found: Found) => ComponentChildren
}

/** What is opened from a list; Escape leads back there. */
export function OpenedPane<Found extends object>({ thing, list, current, gone, children }: Props<Found>) {
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      // The browser itself closes what is open in the bar.
      const isOfBar = document.querySelector(':popover-open') !== null
      if (event.key === 'Escape' && !isOfBar && !leaveField(event)) backToList(thing, list)
    }
    addEventListener('keydown', leave)
    return () => removeEventListener('keydown', leave)
  }, [list])
  const found = current.value
  return (
    <div class="detail">
      <button type="button" class="back" onClick={() => backToList(thing, list)}>
        ← All {thing}s
      </button>
      {found === null && <h2>Loading…</h2>}
      {found === 'away' && (
        <>
          <h2>No connection</h2>
          <p class="lead">The sandbox does not respond. The {thing} appears here when it does.</p>
        </>
      )}
      {found === 'gone' && (
        <>
          <h2>Not here</h2>
          <p class="lead">{gone} It keeps the newest ones only, and forgets all of them when it ends.</p>
        </>
      )}
      {found !== null && typeof found !== 'string' && children(found)}
    </div>
  )
}

function backToList(thing: string, list: string): void {
  const row = document.querySelector<HTMLElement>('.row[aria-current="true"]')
  location.hash = list
  requestAnimationFrame(() => (row ?? document.getElementById(`${thing}s`))?.focus())
}

/** Escape in a field leaves the field, and not what is open beside it. False when the key was not pressed in a field. */
function leaveField({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || !target.matches('input, select, textarea')) return false
  target.blur()
  return true
}
