import { effect } from '@preact/signals'
import { amount, capitalised } from './parts/format.js'
import { current } from './payments/payment-model.js'
import { opened, openedEntry, route } from './route/route.js'

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
    const history = current.value
    if (typeof history === 'string' || history === null) return `${payment.kind} ${payment.id}`
    const { status, currencyCode } = history.payment
    return `${status} ${amount(history.payment.amount, currencyCode)} ${currencyCode}, ${payment.kind} ${payment.id}`
  }
  const { view } = route.value.place
  if (view === 'payments') return ''
  return openedEntry.value === null ? capitalised(view) : `Request ${openedEntry.value}`
}
