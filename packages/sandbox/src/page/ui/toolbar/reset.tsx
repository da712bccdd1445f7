import { useSignal } from '@preact/signals'
import { act } from '../server/sandbox-state.js'
import { resetSandbox, revokeTokens } from '../server/server.js'

export function ResetPanel({ close }: { close: () => void }) {
  const isAsking = useSignal(false)
  const reset = async () => {
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
      {isAsking.value ? (
        // biome-ignore lint/a11y/useSemanticElements: these buttons are no fields, so a fieldset would be wrong
        <div class="toolbar-row" role="group" aria-label="Forget everything?">
          <button type="button" class="danger" onClick={reset}>
            Forget everything
          </button>
          <button
            type="button"
            ref={takesFocus}
            onClick={() => {
              isAsking.value = false
            }}
          >
            Keep it
          </button>
        </div>
      ) : (
        <button
          type="button"
          onClick={() => {
            isAsking.value = true
          }}
        >
          Reset…
        </button>
      )}
    </>
  )
}

/** The button that was pressed is gone; the safe one takes the focus. */
function takesFocus(button: HTMLElement | null): void {
  button?.focus()
}
