import { count } from './parts/format.js'
import { toFix } from './requests/refused-notice.js'
import { route } from './route/route.js'
import { isLive, live } from './server/live.js'
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
          Sandbox gateway
        </h1>
        <LiveState />
      </div>
      <Toolbar />
      <Rate />
    </header>
  )
}

function LiveState() {
  return (
    <p class="live" data-tone={isLive.value ? 'good' : 'bad'}>
      {isLive.value ? 'Live' : 'Not connected; trying again'}
    </p>
  )
}

function Rate() {
  if (live.value === null) return null
  const { passed, refused, limit } = live.value.rate
  return (
    <p class="rate fine">
      <b>{count(passed, 'request')}</b> in the last minute ·{' '}
      {refused === 0 ? 'none answered 429' : <b>{refused} answered 429</b>} ·{' '}
      {limit === null ? 'no limit' : `limit ${limit} a second`}
    </p>
  )
}

const tabs = [
  { view: 'payments', href: '#/', name: 'Payments' },
  { view: 'requests', href: '#/requests', name: 'Requests' },
] as const

/** The views of the page. Links, because each has an address. */
export function Tabs() {
  const { view } = route.value.place
  return (
    <nav class="tabs" aria-label="Views">
      {tabs.map((tab) => (
        <a key={tab.view} href={tab.href} aria-current={tab.view === view ? 'page' : undefined}>
          {tab.name} {tab.view === 'requests' && <ToFix />}
        </a>
      ))}
    </nav>
  )
}

/** So that nobody overlooks them, whichever view is open. */
function ToFix() {
  const { total = 0 } = toFix.value ?? {}
  return total === 0 ? null : (
    <span class="pill" data-tone="bad">
      {total} to fix
    </span>
  )
}
