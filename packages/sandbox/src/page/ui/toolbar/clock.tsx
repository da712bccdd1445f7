import type { SandboxState } from '../../api/actions/state.js'
import { Field, numberOf, onSubmit } from '../parts/fields.js'
import { after, dateTime, time } from '../parts/format.js'
import { act } from '../server/live.js'
import { moveClock } from '../server/server.js'

type Clock = SandboxState['clock']

const MINUTE_MS = 60_000
const MOST_MINUTES = 5_000_000
const spans = [
  ['1 min', MINUTE_MS],
  ['1 h', 60 * MINUTE_MS],
  ['1 day', 1440 * MINUTE_MS],
] as const

export function clockValue({ mode, now, skewMs }: Clock): string {
  if (mode === 'virtual') return time(now, now)
  return skewMs === 0 ? 'real' : after(skewMs)
}

export function ClockPanel({ clock }: { clock: Clock }) {
  const { mode, now, skewMs } = clock
  const set = (ms: number) => act(() => moveClock({ skewMs: ms }), `The clock skew is ${after(ms)}.`)
  const advance = (ms: number) => act(() => moveClock({ advanceMs: ms }), 'The time was advanced.')
  const isRight = skewMs === 0
  return (
    <>
      <h2>Clock</h2>
      <p class="fine">
        It shows {dateTime(now)}
        {isRight ? '.' : `, with a skew of ${after(skewMs)}.`}
      </p>
      <h3>Advance time</h3>
      {mode === 'virtual' ? (
        <>
          <p class="fine">Payments are paid, tokens expire and callbacks are sent on the way, in order.</p>
          <Spans name="Advance time" least={0} move={advance} />
        </>
      ) : (
        <p class="fine">
          This clock is real. Start the sandbox with <code>--clock virtual</code> to advance its time.
        </p>
      )}
      <h3>Clock skew</h3>
      <p class="fine">
        Set clock ahead, or behind by minutes below 0. Dates, and the checks of timestamps and tokens, follow
        the wrong time. Timers do not: no payment is paid earlier.
      </p>
      <Spans name="Set clock ahead" least={-MOST_MINUTES} move={set} />
      <button
        type="button"
        aria-disabled={isRight}
        onClick={() => !isRight && act(() => moveClock({ skewMs: 0 }), 'The clock is right again.')}
      >
        Remove the skew
      </button>
    </>
  )
}

interface SpansProps {
  readonly name: string
  readonly least: number
  readonly move: (ms: number) => void
}

function Spans({ name, least, move }: SpansProps) {
  const free = onSubmit((form) => move(numberOf(form, 'minutes') * MINUTE_MS))
  return (
    <form class="toolbar-row" onSubmit={free}>
      {spans.map(([label, ms]) => (
        <button key={label} type="button" aria-label={`${name} by ${label}`} onClick={() => move(ms)}>
          +{label}
        </button>
      ))}
      <Field
        type="number"
        name="minutes"
        label="Minutes"
        defaultValue="10"
        step="any"
        min={least}
        max={MOST_MINUTES}
        required
      />
      <button type="submit" aria-label={`Apply: ${name}`}>
        Apply
      </button>
    </form>
  )
}
