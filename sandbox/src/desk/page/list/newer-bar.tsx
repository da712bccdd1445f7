import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { count } from '../parts/format.js'

/** Rows that wait above the list until the reader wants them. */
export function NewerBar({ newer, onShow }: { newer: number; onShow: () => void }) {
  if (newer === 0) return null
  return (
    <button type="button" class="newer" onClick={onShow}>
      ↑ {count(newer, 'newer', 'newer')}
    </button>
  )
}

type Place = { readonly current: HTMLElement | null }

const events = ['scroll', 'pointerenter', 'pointerleave', 'focusin', 'focusout', 'keydown'] as const

/**
 * Whether somebody reads a list at this moment: it is scrolled, the pointer is over it, or it is used by keys.
 * Then nothing may move in it, and new rows wait.
 *
 * @param frame the list and the bar above it, which the pointer must be able to reach
 */
export function useIsRead(frame: Place, list: Place): boolean {
  const isRead = useSignal(false)
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const look = () => {
      const isScrolled = (list.current?.scrollTop ?? 0) > 0
      isRead.value =
        isScrolled || element.matches(':hover') || list.current?.matches(':focus-visible') === true
    }
    // Scrolling and the focus reach the frame only on their way down.
    for (const event of events) element.addEventListener(event, look, { capture: true, passive: true })
    look()
    return () => {
      for (const event of events) element.removeEventListener(event, look, { capture: true })
      isRead.value = false
    }
  }, [frame, list])
  return isRead.value
}
