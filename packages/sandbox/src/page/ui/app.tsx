import { useEffect } from 'preact/hooks'
import { Header, Tabs } from './header.js'
import { announcement } from './parts/announce.js'
import { Detail } from './payments/detail.js'
import { paymentList } from './payments/list-model.js'
import { PaymentList } from './payments/payment-list.js'
import { RequestPane } from './requests/request-detail.js'
import { RequestList } from './requests/request-list.js'
import { opened, openedEntry, route } from './route/route.js'
import { Welcome } from './welcome.js'

const panes = {
  payments: 'Skip to the payment',
  requests: 'Skip to the request',
} as const

export function App() {
  useEffect(() => {
    const slash = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event)) return
      event.preventDefault()
      document.getElementById('search')?.focus()
    }
    addEventListener('keydown', slash)
    return () => removeEventListener('keydown', slash)
  }, [])
  const { view } = route.value.place
  const isOpen = opened.value !== null || openedEntry.value !== null
  return (
    <div
      class="page"
      data-view={view}
      data-shows={isOpen ? 'detail' : 'list'}
      data-empty={view === 'payments' && paymentList.listing.value?.held === 0}
    >
      <nav class="skip" aria-label="Skip">
        {view === 'requests' && <SkipTo id="requests">Skip to the requests</SkipTo>}
        {view === 'payments' && <SkipTo id="payments">Skip to the payments</SkipTo>}
        <SkipTo id="pane">{panes[view]}</SkipTo>
      </nav>
      <Header />
      <Tabs />
      {view === 'requests' ? <Requests /> : <Payments />}
      <Announcement />
    </div>
  )
}

function Payments() {
  return (
    <main class="body">
      <section class="side" aria-label="Payments">
        <PaymentList />
      </section>
      <section class="pane" id="pane" tabIndex={-1} aria-label="The payment">
        {opened.value === null ? <Welcome /> : <Detail key={`${opened.value.kind}/${opened.value.id}`} />}
      </section>
    </main>
  )
}

function Requests() {
  return (
    <main class="body">
      <section class="side" aria-label="Requests">
        <RequestList />
      </section>
      <section class="pane" id="pane" tabIndex={-1} aria-label="The request">
        <RequestPane />
      </section>
    </main>
  )
}

/** A button and not a link: the fragment names what is open. */
function SkipTo({ id, children }: { id: string; children: string }) {
  return (
    <button type="button" onClick={() => document.getElementById(id)?.focus()}>
      {children}
    </button>
  )
}

function Announcement() {
  const { text, isBad } = announcement.value
  return (
    <output class="announcement" data-tone={isBad ? 'bad' : undefined} data-empty={text === ''}>
      {text}
    </output>
  )
}

/** Whether a key belongs to the field that it is pressed in. */
function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea')
}
