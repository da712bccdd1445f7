import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ListWindow } from '../../control/payments/listing.js'
import type { ListModel } from './list-model.js'

/** A list whose rows are opened by keys and clicks. */
export interface KeyedList<Row> {
  /** In pixels. */
  readonly rowHeight: number
  readonly model: ListModel<ListWindow<Row>>
  readonly keyOf: (row: Row) => string
  /** Opens a row; the focus goes to what is opened, or stays on the list. */
  readonly open: (row: Row, focusOn: 'opened' | 'list') => void
}

interface ListKeys {
  /** The place in the whole list that the keys are at. */
  readonly active: Signal<number>
  readonly keyDown: (event: KeyboardEvent) => void
  readonly click: (index: number) => void
  readonly focus: () => void
}

/**
 * Moves through a list by keys. The focus stays on the list and a row is active: rows come and go with
 * scrolling, and a focus on one of them would get lost.
 */
export function useListKeys<Row>(list: { current: HTMLElement | null }, rows: KeyedList<Row>): ListKeys {
  const { rowHeight, model, keyOf } = rows
  const { loaded, listing } = model
  const active = useSignal(0)
  const activeKey = useSignal('')
  const rowAt = (index: number) => loaded.peek().rows[index - loaded.peek().offset]
  const keyAt = (index: number) => {
    const row = rowAt(index)
    return row === undefined ? '' : keyOf(row)
  }
  const go = (index: number) => {
    active.value = Math.max(0, Math.min(index, (listing.peek()?.total ?? 0) - 1))
    activeKey.value = keyAt(active.value)
    reveal(list.current, active.value, rowHeight)
  }
  const openActive = (focusOn: 'opened' | 'list') => {
    const row = rowAt(active.peek())
    if (row !== undefined) rows.open(row, focusOn)
  }

  // New rows push the others down; the keys stay at the row they were at.
  useEffect(() => {
    const { rows: present, offset } = loaded.value
    const found = present.findIndex((row) => keyOf(row) === activeKey.peek())
    if (found >= 0) active.value = offset + found
    else activeKey.value = keyAt(active.peek())
  }, [loaded.value])

  const page = () => Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / rowHeight) - 1)
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
      else if (event.key === 'Enter' || event.key === ' ') openActive('opened')
      else return
      event.preventDefault()
    },
    click(index) {
      go(index)
      openActive(isNarrow() ? 'opened' : 'list')
    },
    focus() {
      // Not for the pointer: scrolling between its press and its release would lose the click.
      if (list.current?.matches(':focus-visible') === true) reveal(list.current, active.peek(), rowHeight)
    },
  }
}

function isNarrow(): boolean {
  return matchMedia('(max-width: 800px)').matches
}

function reveal(element: HTMLElement | null, index: number, rowHeight: number): void {
  if (element === null) return
  const top = index * rowHeight
  if (top < element.scrollTop) element.scrollTop = top
  else if (top + rowHeight > element.scrollTop + element.clientHeight) {
    element.scrollTop = top + rowHeight - element.clientHeight
  }
}
