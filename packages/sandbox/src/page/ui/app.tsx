import { useEffect } from 'preact/hooks'
import { Header, Tabs } from './header.js'
import { announcement } from './parts/announce.js'
import { Detail } from './payments/detail.js'
import { PaymentList, paymentList } from './payments/payment-list.js'
import { RequestPane } from './requests/request-detail.js'
import { RequestList } from './requests/request-list.js'
import { opened, openedRequest, route } from './route/route.js'
import { isConnected } from './server/live.js'
import { Welcome } from './welcome.js'

export function App() {
  useEffect(() => {
    addEventListener('keydown', focusSearch)
    return () => removeEventListener('keydown', focusSearch)
  }, [])
  const { view } = route.value.place
  const open = view === 'payments' ? opened.value : openedRequest.value
  // On a narrow page what is opened takes the place of the list, which had the focus.
  useEffect(() => {
    const isCovered = document.querySelector('.side')?.checkVisibility() === false
    if (open !== null && isCovered) document.getElementById('pane')?.focus()
  }, [open])
  const thing = view === 'payments' ? 'payment' : 'request'
  return (
    <div
      class="page"
      data-view={view}
      data-shows={open === null ? 'list' : 'detail'}
      data-empty={view === 'payments' && paymentList.listing.value?.held === 0}
      data-connected={isConnected.value}
    >
      <nav class="skip" aria-label="Skip">
        <SkipTo id={view}>{`Skip to the ${thing}s`}</SkipTo>
        <SkipTo id="pane">{`Skip to the ${thing}`}</SkipTo>
      </nav>
      <Header />
      <Tabs />
      <main class="body">
        <section class="side" aria-label={`${thing}s`}>
          {view === 'payments' ? <PaymentList /> : <RequestList />}
        </section>
        <section class="pane" id="pane" tabIndex={-1} aria-label={`The ${thing}`}>
          {view === 'payments' ? <PaymentPane /> : <RequestPane />}
        </section>
      </main>
      <Announcement />
    </div>
  )
}

function PaymentPane() {
  const payment = opened.value
  return payment === null ? <Welcome /> : <Detail key={`${payment.kind}/${payment.id}`} {...payment} />
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

function focusSearch(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey } = event
  const isTyping = target instanceof HTMLElement && target.matches('input, select, textarea')
  if (key !== '/' || ctrlKey || metaKey || isTyping) return
  event.preventDefault()
  document.getElementById('search')?.focus()
}
