import type { SandboxState } from '../../api/controls/controls.js'
import { NumberField, numberOf, onSubmit } from '../parts/fields.js'
import { after, dateTime, time } from '../parts/format.js'
import { act } from '../server/sandbox-state.js'
import { moveClock } from '../server/server.js'

type Clock = SandboxState['clock']

const MINUTE_MS = 60_000
const spans = [
  { label: '1 min', ms: MINUTE_MS },
  { label: '1 h', ms: 60 * MINUTE_MS },
  { label: '1 day', ms: 1440 * MINUTE_MS },
] as const

/** What the button says: a virtual time, or how wrong a real one is. */
export function clockValue({ mode, now, skewMs }: Clock): string {
  if (mode === 'virtual') return time(now, now)
  return skewMs === 0 ? 'real' : after(skewMs)
}

export function ClockPanel({ clock }: { clock: Clock }) {
  const { mode, now, skewMs } = clock
  const isVirtual = mode === 'virtual'
  return (
    <>
      <h2>Clock</h2>
      <p class="fine">
        {isVirtual ? 'Virtual: it stands still until it is moved on.' : 'Real: it goes with this machine.'} It
        shows {dateTime(now)}
        {skewMs === 0 ? '.' : `, which is wrong by ${after(skewMs)}.`}
      </p>
      <h3>{isVirtual ? 'Move on' : 'Move on: only with --clock virtual'}</h3>
      <p class="fine">
        {isVirtual
          ? 'Payments settle, tokens expire and callbacks go out on the way, in order.'
          : 'A real clock can’t be moved on, only be wrong: createSandbox({ clock: ’virtual’ }) makes one that can.'}
      </p>
      {isVirtual && (
        <Spans
          verb="Move on by"
          move={(ms) => act(() => moveClock({ advanceMs: ms }), 'The clock was moved on.')}
        />
      )}
      <h3>Be wrong</h3>
      <p class="fine">
        Dates, and the check of timestamps and tokens, follow the wrong time. Timers don’t: no payment settles
        earlier.
      </p>
      <Spans
        verb="Be ahead by"
        move={(ms) => act(() => moveClock({ skewMs: ms }), `The clock is wrong by ${after(ms)}.`)}
      />
      <button
        type="button"
        aria-disabled={skewMs === 0}
        onClick={() => skewMs !== 0 && act(() => moveClock({ skewMs: 0 }), 'The clock is right again.')}
      >
        Set it right
      </button>
    </>
  )
}

function Spans({ verb, move }: { verb: string; move: (ms: number) => void }) {
  const free = onSubmit((form) => move(numberOf(form, 'minutes') * MINUTE_MS))
  return (
    <form class="toolbar-row" onSubmit={free}>
      {spans.map(({ label, ms }) => (
        <button key={label} type="button" aria-label={`${verb} ${label}`} onClick={() => move(ms)}>
          +{label}
        </button>
      ))}
      <NumberField
        name="minutes"
        label="Minutes"
        value={10}
        min={verb === 'Move on by' ? 0 : -5_000_000}
        max={5_000_000}
        step="any"
      />
      <button type="submit">{verb.replace(' by', '')}</button>
    </form>
  )
}
