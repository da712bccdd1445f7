import type { ComponentChildren } from 'preact'
import type { ListWindow } from '../../api/payments/listing.js'
import { capitalised } from '../parts/format.js'
import type { ListModel } from './list-model.js'

export interface LinkedList<Row> {
  /** What a row is: the list and what is opened from it are called by it. */
  readonly thing: 'payment' | 'request'
  readonly model: ListModel<ListWindow<Row>>
  readonly linkOf: (row: Row) => RowLink
}

export interface RowLink {
  readonly key: string
  readonly href: string
  readonly isOpen: boolean
  readonly tone?: string
  readonly content: ComponentChildren
}

/** A list that is moved through by arrow keys. */
export function List<Row>({ thing, model, linkOf }: LinkedList<Row>) {
  const { rows = [] } = model.listing.value ?? {}
  return (
    <ul
      class="list"
      id={`${thing}s`}
      tabIndex={-1}
      aria-label={`${capitalised(thing)}s, newest first`}
      onKeyDown={moveByArrows}
    >
      {rows.map(linkOf).map((link) => (
        <Row {...link} key={link.key} />
      ))}
    </ul>
  )
}

function Row({ href, isOpen, tone, content }: RowLink) {
  // A click by a key has no detail: the focus goes to what is opened.
  const focusPane = ({ detail }: MouseEvent) => {
    if (detail === 0) document.getElementById('pane')?.focus()
  }
  return (
    <li>
      <a class="row" href={href} aria-current={isOpen} data-tone={tone} onClick={focusPane}>
        {content}
      </a>
    </li>
  )
}

function moveByArrows(event: KeyboardEvent): void {
  const { key, currentTarget } = event
  if (!(currentTarget instanceof HTMLElement)) return
  const links = [...currentTarget.querySelectorAll('a')]
  const at = links.findIndex((link) => link.matches(':focus'))
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: Math.min(at + 1, links.length - 1),
    ArrowUp: Math.max(at - 1, 0),
    Home: 0,
    End: links.length - 1,
  }
  const next = moves[key]
  if (next === undefined) return
  event.preventDefault()
  links[next]?.focus()
}
