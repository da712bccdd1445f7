import { FaultForm, FaultList } from './faults/faults.js'
import { isNewToFix, toFix } from './requests/refused-notice.js'
import { route } from './route/route.js'
import { act, isConnected, sandboxState } from './server/live.js'
import { resetSandbox, revokeTokens } from './server/server.js'
import { ClockPanel, clockValue } from './toolbar/clock.js'
import { CreatePanel } from './toolbar/create-panel.js'
import { ToolbarPopover } from './toolbar/popover.js'

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

function Toolbar() {
  const { faults = [], clock } = sandboxState.value ?? {}
  const isSkewed = clock !== undefined && clock.skewMs !== 0
  return (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are no fields, so a fieldset would be wrong
    <div class="toolbar" role="group" aria-label="The sandbox">
      <ToolbarPopover name="Create">{(close) => <CreatePanel close={close} />}</ToolbarPopover>
      <ToolbarPopover name="Faults" value={String(faults.length)} isOn={faults.length > 0}>
        {() => (
          <>
            <FaultList faults={faults} />
            <h3>Add a fault</h3>
            <FaultForm />
          </>
        )}
      </ToolbarPopover>
      <ToolbarPopover name="Clock" value={clock && clockValue(clock)} isOn={isSkewed}>
        {() => clock && <ClockPanel clock={clock} />}
      </ToolbarPopover>
      <ToolbarPopover name="Reset">{(close) => <ResetPanel close={close} />}</ToolbarPopover>
    </div>
  )
}

function ResetPanel({ close }: { close: () => void }) {
  const reset = async () => {
    if (!confirm('Forget all payments, requests, callbacks and faults?')) return
    if (await act(resetSandbox, 'The sandbox was reset.')) close()
  }
  return (
    <>
      <h2>Tokens</h2>
      <p class="fine">
        Every token that was made until now is refused with 401. A client makes a new one by itself.
      </p>
      <button type="button" onClick={() => act(revokeTokens, 'All tokens were revoked.')}>
        Revoke all tokens
      </button>
      <h2>Reset</h2>
      <p class="fine">
        Forgets all payments and their ids, requests, callbacks and faults; sets the clock right and the
        balances back. What a virtual clock shows, the limiter and the tokens stay.
      </p>
      <button type="button" onClick={reset}>
        Reset…
      </button>
    </>
  )
}
