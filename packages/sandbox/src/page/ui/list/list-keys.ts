import { type Signal, useSignal } from '@preact/signals'
import type { ListWindow } from '../../api/payments/listing.js'
import { wantsFocus } from '../route/route.js'
import type { ListModel } from './list-model.js'

/** A list whose rows are opened by keys and clicks. */
export interface KeyedList<Row> {
  /** What a row is: the list, its rows and the heading of one that is open are called by it in the document. */
  readonly thing: 'payment' | 'request'
  readonly model: ListModel<ListWindow<Row>>
  readonly keyOf: (row: Row) => string
  readonly isOpen: (row: Row) => boolean
  readonly open: (row: Row) => void
  /** Colours a row. */
  readonly toneOf?: (row: Row) => string
}

interface ListKeys {
  /** Which row the keys are at. */
  readonly active: Signal<number>
  readonly keyDown: (event: KeyboardEvent) => void
  readonly click: (index: number) => void
  readonly focus: (event: FocusEvent) => void
}

/** Moves through a list by keys. The focus stays on the list, and a row is active. */
export function useListKeys<Row>({ thing, model, isOpen, open }: KeyedList<Row>): ListKeys {
  const active = useSignal(0)
  const rows = () => model.listing.peek()?.rows ?? []
  const reveal = () =>
    document.getElementById(`${thing}-${active.peek()}`)?.scrollIntoView({ block: 'nearest' })
  const go = (index: number) => {
    active.value = Math.max(0, Math.min(index, rows().length - 1))
    reveal()
  }
  /** The focus goes to what is opened, or stays on the list. */
  const openActive = (focusOn: 'opened' | 'list') => {
    const row = rows()[active.peek()]
    if (row === undefined) return
    wantsFocus.value = focusOn === 'opened'
    if (isOpen(row)) document.getElementById(thing)?.focus()
    open(row)
  }
  const moves: Readonly<Record<string, () => number>> = {
    ArrowDown: () => active.peek() + 1,
    ArrowUp: () => active.peek() - 1,
    Home: () => 0,
    End: () => rows().length - 1,
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
    focus({ currentTarget }) {
      // Not for the pointer: scrolling between its press and its release would lose the click.
      if (currentTarget instanceof HTMLElement && currentTarget.matches(':focus-visible')) reveal()
    },
  }
}

function isNarrow(): boolean {
  return matchMedia('(max-width: 800px)').matches
}
