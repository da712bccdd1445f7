import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { keyOf, loaded, ROW_HEIGHT, rowAt, totals } from './list-model.js'
import { isOpen, open, wantsFocus } from './route.js'

interface ListKeys {
  /** The place in the whole list that the keys are at. */
  readonly active: Signal<number>
  readonly keyDown: (event: KeyboardEvent) => void
  readonly click: (index: number) => void
  readonly focus: () => void
}

/**
 * Moves through the list by keys. The focus stays on the list and a row is active: rows come and go with
 * scrolling, and a focus on one of them would get lost.
 */
export function useListKeys(list: { current: HTMLElement | null }): ListKeys {
  const active = useSignal(0)
  const activeKey = useSignal('')
  const go = (index: number) => {
    const last = (totals.peek()?.total ?? 0) - 1
    active.value = Math.max(0, Math.min(index, last))
    const row = rowAt(active.value)
    activeKey.value = row === undefined ? '' : keyOf(row)
    reveal(list.current, active.value)
  }
  const openActive = (focusOn: 'payment' | 'list') => {
    const row = rowAt(active.peek())
    if (row === undefined) return
    wantsFocus.value = focusOn === 'payment'
    if (isOpen(row.kind, row.id)) document.getElementById('payment')?.focus()
    open(row)
  }

  // New payments push the rows down; the keys stay at the payment they were at.
  useEffect(() => {
    const { rows, offset } = loaded.value
    const found = rows.findIndex((row) => keyOf(row) === activeKey.peek())
    if (found >= 0) active.value = offset + found
    else activeKey.value = keyOf(rowAt(active.peek()) ?? { kind: '', id: '' })
  }, [loaded.value])

  const page = () => Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1)
  const moves: Readonly<Record<string, () => number>> = {
    ArrowDown: () => active.peek() + 1,
    ArrowUp: () => active.peek() - 1,
    PageDown: () => active.peek() + page(),
    PageUp: () => active.peek() - page(),
    Home: () => 0,
    End: () => Number.MAX_SAFE_INTEGER,
  }
  return {
    active,
    keyDown(event) {
      const move = moves[event.key]
      if (move !== undefined) go(move())
      else if (event.key === 'Enter' || event.key === ' ') openActive('payment')
      else return
      event.preventDefault()
    },
    click(index) {
      go(index)
      openActive(isNarrow() ? 'payment' : 'list')
    },
    focus() {
      reveal(list.current, active.peek())
    },
  }
}

function isNarrow(): boolean {
  return matchMedia('(max-width: 800px)').matches
}

function reveal(element: HTMLElement | null, index: number): void {
  if (element === null) return
  const top = index * ROW_HEIGHT
  if (top < element.scrollTop) element.scrollTop = top
  else if (top + ROW_HEIGHT > element.scrollTop + element.clientHeight) {
    element.scrollTop = top + ROW_HEIGHT - element.clientHeight
  }
}
