import { count } from './parts/format.js'
import { refused } from './requests/refused-notice.js'
import { route } from './route/route.js'

const tabs = [
  { view: 'payments', href: '#/', name: 'Payments' },
  { view: 'requests', href: '#/requests', name: 'Requests' },
  { view: 'rehearse', href: '#/rehearse', name: 'Rehearse' },
] as const

/** The views of the page. Links, because each has an address. */
export function Tabs() {
  const { view } = route.value.place
  return (
    <nav class="tabs" aria-label="Views">
      {tabs.map((tab) => (
        <a key={tab.view} href={tab.href} aria-current={tab.view === view ? 'page' : undefined}>
          {tab.name}
          {tab.view === 'requests' && <Refused />}
        </a>
      ))}
    </nav>
  )
}

/** So that nobody overlooks them, whichever view is open. */
function Refused() {
  const { total = 0 } = refused.value ?? {}
  return total === 0 ? null : (
    <span class="pill" data-tone="bad">
      {count(total, 'refused', 'refused')}
    </span>
  )
}
