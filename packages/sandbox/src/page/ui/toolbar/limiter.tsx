import type { LimiterKind } from '../../../gateway/engine/limiter.js'
import type { SandboxState } from '../../api/actions/state.js'
import { Choice, NumberField, numberOf, onSubmit, textOf } from '../parts/fields.js'
import { act } from '../server/sandbox-state.js'
import { changeLimiter } from '../server/server.js'

const kinds: Readonly<Record<LimiterKind, string>> = {
  'sliding-window': 'Sliding window: no second holds more',
  'fixed-window': 'Fixed window: every full second anew',
  'token-bucket': 'Token bucket: all at once, then one by one',
  'evenly-spaced': 'Evenly spaced: never two at once',
}

export function LimiterPanel({ limiter: { kind, limit } }: { limiter: SandboxState['limiter'] }) {
  const submit = onSubmit((form) => {
    const rate = numberOf(form, 'limit')
    const wanted = textOf(form, 'kind')
    const body = { kind: isKind(wanted) ? wanted : kind, limit: Number.isNaN(rate) ? null : rate }
    void act(() => changeLimiter(body), 'The limit was changed.')
  })
  return (
    <>
      <h2>Limit</h2>
      <p class="fine">
        {limit === null ? 'Every request passes.' : `Above ${limit} a second requests get 429.`} A client that
        runs already keeps the limit that it started with.
      </p>
      <form class="toolbar-form" onSubmit={submit}>
        <Choice name="kind" label="How requests are counted" choices={Object.entries(kinds)} value={kind} />
        <NumberField
          name="limit"
          label="Requests a second; empty for no limit"
          value={limit ?? undefined}
          min={1}
          max={100_000}
          isOptional
        />
        <button type="submit">Apply</button>
      </form>
    </>
  )
}

function isKind(text: string): text is LimiterKind {
  return text in kinds
}
