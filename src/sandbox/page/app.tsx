import { useEffect } from 'preact/hooks'
import { announcement } from './announce.js'
import { Detail } from './detail.js'
import { Header } from './header.js'
import { totals } from './list-model.js'
import { PaymentList } from './payment-list.js'
import { opened } from './route.js'
import { SearchBox } from './search-box.js'
import { Welcome } from './welcome.js'

export function App() {
  useEffect(() => {
    const slash = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      event.preventDefault()
      document.getElementById('search')?.focus()
    }
    addEventListener('keydown', slash)
    return () => removeEventListener('keydown', slash)
  }, [])
  const shows = opened.value === null ? 'list' : 'payment'
  return (
    <div class="page" data-shows={shows} data-empty={totals.value?.held === 0}>
      <nav class="skip" aria-label="Skip">
        <SkipTo id="payments">Skip to the payments</SkipTo>
        <SkipTo id="pane">Skip to the payment</SkipTo>
      </nav>
      <Header />
      <main class="body">
        <section class="side" aria-label="Payments">
          <SearchBox />
          <PaymentList />
        </section>
        <section class="pane" id="pane" tabIndex={-1} aria-label="The payment">
          {opened.value === null ? <Welcome /> : <Detail key={`${opened.value.kind}/${opened.value.id}`} />}
        </section>
      </main>
      <Announcement />
    </div>
  )
}

/** A button and not a link: the fragment names the payment that is open. */
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
    <output class="announcement" data-bad={isBad} data-empty={text === ''}>
      {text}
    </output>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea')
}
