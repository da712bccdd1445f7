import { isNewToFix, toFix } from './requests/refused-notice.js'
import { route } from './route/route.js'
import { isConnected } from './server/live.js'
import { Toolbar } from './toolbar/toolbar.js'

export function Header() {
  return (
    <header class="header">
      <div class="brand">
        <h1>
          <svg viewBox="0 0 24 24" width="22" aria-hidden="true">
            <path stroke="var(--accent)" d="M4 20V9l8-5 8 5v11" />
            <path stroke="var(--accent)" d="M9 20v-6h6v6" />
          </svg>
          Sandbox · no real money
        </h1>
        <p class="connection" data-tone={isConnected.value ? 'good' : 'bad'}>
          {isConnected.value ? 'Connected' : 'Disconnected, trying again'}
        </p>
      </div>
      <Toolbar />
    </header>
  )
}

/** The views of the page. Links, because each has an address. */
export function Tabs() {
  const { view } = route.value.place
  const { total = 0 } = toFix.value ?? {}
  return (
    <nav class="tabs" aria-label="Views">
      <a href="#/" aria-current={view === 'payments' ? 'page' : undefined}>
        Payments
      </a>
      <a href="#/requests" aria-current={view === 'requests' ? 'page' : undefined}>
        Requests{' '}
        {total > 0 && (
          <span class="pill" data-tone={isNewToFix.value ? 'bad' : 'calm'}>
            {total} refused
          </span>
        )}
      </a>
    </nav>
  )
}
