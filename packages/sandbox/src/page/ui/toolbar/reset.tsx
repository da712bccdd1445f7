import { act } from '../server/sandbox-state.js'
import { resetSandbox, revokeTokens } from '../server/server.js'

export function ResetPanel({ close }: { close: () => void }) {
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
