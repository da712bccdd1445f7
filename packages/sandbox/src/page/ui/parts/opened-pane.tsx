import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { goTo, wantsFocus } from '../route/route.js'
import type { Opened } from '../server/load-opened.js'

interface Props<Found> {
  readonly thing: 'payment' | 'request'
  readonly current: ReadonlySignal<Opened<Found>>
  /** That the sandbox does not hold it. */
  readonly gone: ComponentChildren
  readonly children: (found: Found) => ComponentChildren
}

/** What is opened from a list; Escape leads back there. */
export function OpenedPane<Found extends object>({ thing, current, gone, children }: Props<Found>) {
  const toList = () => {
    goTo(thing === 'payment' ? { view: 'payments', payment: null } : { view: 'requests', entry: null })
    requestAnimationFrame(() => document.getElementById(`${thing}s`)?.focus())
  }
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      // What is open in the bar is closed by the browser.
      const isOfBar = document.querySelector(':popover-open') !== null
      if (event.key === 'Escape' && !isOfBar && !leaveField(event)) toList()
    }
    addEventListener('keydown', leave)
    return () => removeEventListener('keydown', leave)
  }, [])
  const found = current.value
  return (
    <div class="detail">
      <button type="button" class="back" onClick={toList}>
        ← All {thing}s
      </button>
      {found === null && (
        <Heading key="loading" id={thing} isLoading>
          Loading…
        </Heading>
      )}
      {found === 'away' && (
        <>
          <Heading key="away" id={thing}>
            No connection
          </Heading>
          <p class="lead">The sandbox does not answer. The {thing} appears here when it does.</p>
        </>
      )}
      {found === 'gone' && (
        <>
          <Heading key="gone" id={thing}>
            Not here
          </Heading>
          <p class="lead">{gone} It keeps the newest ones only, and forgets all of them when it ends.</p>
        </>
      )}
      {found !== null && typeof found !== 'string' && children(found)}
    </div>
  )
}

interface HeadingProps {
  readonly id: string
  /** Then the focus is passed on to the heading that comes after it. */
  readonly isLoading?: boolean
  readonly children: string
}

/** Takes the focus where what is opened was opened by keys. */
export function Heading({ id, isLoading = false, children }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!wantsFocus.peek()) return
    heading.current?.focus()
    if (!isLoading) wantsFocus.value = false
  }, [])
  return (
    <h2 id={id} tabIndex={-1} ref={heading}>
      {children}
    </h2>
  )
}

/**
 * What Escape does in a field: it closes the field, and not what is open beside it. A field in a part that can be
 * closed closes that part; any other is left.
 *
 * @returns false when the key was not pressed in a field
 */
function leaveField(event: KeyboardEvent): boolean {
  const { target } = event
  if (!(target instanceof HTMLElement) || !target.matches('input, select, textarea')) return false
  const part = target.closest('details')
  const summary = part?.querySelector('summary')
  if (part instanceof HTMLDetailsElement && summary instanceof HTMLElement) {
    part.open = false
    summary.focus()
  } else target.blur()
  return true
}
