import { effect } from '@preact/signals'
import { render } from 'preact'
import { App } from './app.js'
import { amount } from './parts/format.js'
import { current } from './payments/detail.js'
import { opened, openedRequest, route } from './route/route.js'
import { follow } from './server/live.js'

const NAME = 'Sandbox · no real money'

function followTitle(): void {
  effect(() => {
    const open = whatIsOpen()
    document.title = open === '' ? NAME : `${open} · ${NAME}`
  })
}

function whatIsOpen(): string {
  if (route.value.place.view === 'requests') {
    return openedRequest.value === null ? 'Requests' : `Request ${openedRequest.value}`
  }
  if (opened.value === null) return ''
  const { kind, id } = opened.value
  const history = current.value
  if (history === null || typeof history === 'string') return `${kind} ${id}`
  const { status, currencyCode } = history.payment
  return `${status} ${amount(history.payment.amount, currencyCode)} ${currencyCode}, ${kind} ${id}`
}

const root = document.getElementById('page')
if (root !== null) {
  render(<App />, root)
  follow()
  followTitle()
}
