import type { LimiterKind } from '../../../gateway/engine/limiter.js'
import type { SandboxState } from '../../api/controls/controls.js'
import { Choice, NumberField, numberOf, onSubmit, textOf } from '../parts/fields.js'
import { act } from '../server/sandbox-state.js'
import { changeLimiter } from '../server/server.js'

const kinds: Readonly<Record<LimiterKind, string>> = {
  'sliding-window': 'Sliding window: no second holds more',
  'fixed-window': 'Fixed window: every full second anew',
  'token-bucket': 'Token bucket: all at once, then one by one',
  'evenly-spaced': 'Evenly spaced: never two at once',
}

export function LimiterPanel({ limiter }: { limiter: SandboxState['limiter'] }) {
  const { kind, limit } = limiter
  const submit = onSubmit((form) => {
    const rate = numberOf(form, 'limit')
    const wanted = textOf(form, 'kind')
    const known = isKind(wanted) ? wanted : kind
    void act(
      () => changeLimiter({ kind: known, limit: Number.isNaN(rate) ? null : rate }),
      'The limiter was exchanged; it has counted nothing yet.',
    )
  })
  return (
    <>
      <h2>Limit</h2>
      <p class="fine">
        {limit === null
          ? 'Every request passes.'
          : `Above ${limit} a second the answer is 429, and nothing is processed.`}
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
        <button type="submit">Exchange</button>
      </form>
      <p class="fine">A client that runs already keeps to the limit that it was made with.</p>
    </>
  )
}

function isKind(text: string): text is LimiterKind {
  return Object.hasOwn(kinds, text)
}
