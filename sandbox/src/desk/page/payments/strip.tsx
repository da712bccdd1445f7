import type { Entry } from '../../control/payments/entries.js'
import { span } from '../../control/text/span.js'
import { statusTone } from '../parts/status-chip.js'
import { type Mark, type Strip as Model, stripOf } from './strip-model.js'

/** A history on an axis of time; the steps below it say the same in full. */
export function Strip({ entries }: { entries: readonly Entry[] }) {
  const strip = stripOf(entries)
  if (strip === undefined) return null
  // A label at the end is written to the left, where the one before it stands.
  const isCrowded = (strip.ticks[1]?.at ?? 1) < 0.45
  return (
    <figure class="strip" role="img" aria-label={strip.words}>
      <div aria-hidden="true">
        <Lane name="Requests" marks={strip.requests} />
        <Phases strip={strip} />
        <Lane name="Callbacks" marks={strip.callbacks} />
        <div class="strip-ticks">
          {strip.ticks.map(({ at, label }) => (
            <span key={label} style={{ left: percent(at) }} data-last={isAtEnd(at)}>
              {isAtEnd(at) && isCrowded ? '' : label}
            </span>
          ))}
        </div>
      </div>
    </figure>
  )
}

const isAtEnd = (at: number) => at > 0.9

function Lane({ name, marks }: { name: string; marks: readonly Mark[] }) {
  return (
    <div class="strip-lane">
      <span>{name}</span>
      <div class="strip-marks">
        {marks.map(({ from, to, tone, count, label }) => (
          <span
            key={from}
            class="strip-mark"
            data-tone={tone}
            title={count > 3 ? `${label}\n… ${count} in all` : label}
            style={{ left: percent(from), width: `max(7px, ${percent(to - from)})` }}
          >
            {count > 1 && <i>{count}</i>}
          </span>
        ))}
      </div>
    </div>
  )
}

function Phases({ strip: { phases } }: { strip: Model }) {
  return (
    <div class="strip-lane">
      <span>Status</span>
      <div class="strip-phases">
        {phases.map(({ status, from, to, lastsMs }, index) => (
          <span
            key={from}
            class="strip-phase"
            data-tone={statusTone(status)}
            title={`${status}, ${span(lastsMs)}`}
            style={{ left: percent(from), width: percent(to - from) }}
          >
            <b>{status}</b>
            {index < phases.length - 1 && <i>{span(lastsMs)}</i>}
          </span>
        ))}
      </div>
    </div>
  )
}

function percent(part: number): string {
  return `${(part * 100).toFixed(3)}%`
}
