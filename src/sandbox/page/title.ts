import { effect } from '@preact/signals'
import { amount } from './format.js'
import { opened, openedEntry, route } from './route.js'
import { current } from './story-model.js'

const NAME = 'Sandbox gateway'

/** Says in the title of the tab what is open. */
export function followTitle(): void {
  effect(() => {
    const open = whatIsOpen()
    document.title = open === '' ? NAME : `${open} · ${NAME}`
  })
}

function whatIsOpen(): string {
  const payment = opened.value
  if (payment !== null) {
    const story = current.value
    if (typeof story === 'string' || story === null) return `${payment.kind} ${payment.id}`
    const { status, currencyCode } = story.payment
    return `${status} ${amount(story.payment.amount, currencyCode)} ${currencyCode}, ${payment.kind} ${payment.id}`
  }
  const { view } = route.value.place
  if (view === 'payments') return ''
  return openedEntry.value === null ? capitalised(view) : `Request ${openedEntry.value}`
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
