import { useEffect, useId, useRef } from 'preact/hooks'
import type { Rate } from '../../control/live.js'
import { count } from '../parts/format.js'
import { news, newsAt } from '../server/live.js'

const SECONDS = 60
const BAR = 5
const WIDTH = SECONDS * BAR
const HEIGHT = 44

/** The last minute: a bar for each second, what was let through below, what was refused on top of it. */
export function RatePicture() {
  const bars = useRef<SVGGElement>(null)
  const stripes = useId()
  const rate = news.value?.rate
  useMovement(bars, rate)
  if (rate === undefined) return <div class="rate" />
  const { samples, limit } = rate
  const scale = HEIGHT / Math.max((limit ?? 0) * 1.3, ...samples.map(([, ok, no]) => ok + no), 4)
  const line = limit === null ? null : HEIGHT - limit * scale
  return (
    <figure class="rate">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        data-tone="bad"
        aria-label={sentence(rate)}
        preserveAspectRatio="none"
      >
        <defs>
          <pattern
            id={stripes}
            width="4"
            height="4"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect fill="var(--tone)" width="4" height="4" />
            <rect fill="var(--surface)" width="1.5" height="4" />
          </pattern>
        </defs>
        <g ref={bars}>
          {samples.map(([step, passed, refused]) => (
            <g key={step} transform={`translate(${step * BAR} 0)`}>
              <rect
                class="passed"
                fill="var(--accent)"
                width={BAR - 1}
                y={HEIGHT - passed * scale}
                height={passed * scale}
              />
              <rect
                fill={`url(#${stripes})`}
                width={BAR - 1}
                y={HEIGHT - (passed + refused) * scale}
                height={refused * scale}
              />
            </g>
          ))}
        </g>
        {line !== null && (
          <line
            stroke="var(--quiet)"
            stroke-dasharray="2 4"
            vector-effect="non-scaling-stroke"
            x1="0"
            x2={WIDTH}
            y1={line}
            y2={line}
          />
        )}
      </svg>
      <figcaption>
        <Caption rate={rate} />
      </figcaption>
    </figure>
  )
}

function Caption({ rate }: { rate: Rate }) {
  const { passed, refused } = sums(rate)
  return (
    <>
      <span>
        <b>{count(passed, 'request')}</b> in the last minute
      </span>
      <span>{rate.limit === null ? 'no limit' : `limit ${rate.limit} a second`}</span>
      <span>{refused === 0 ? 'none answered 429' : <b>{refused} answered 429</b>}</span>
    </>
  )
}

function sentence(rate: Rate): string {
  const { passed, refused } = sums(rate)
  const limit = rate.limit === null ? 'There is no limit.' : `The limit is ${rate.limit} a second.`
  return `The last minute: ${count(passed, 'request')} passed, ${refused} refused. ${limit}`
}

function sums({ samples }: Rate): { passed: number; refused: number } {
  return {
    passed: samples.reduce((sum, [, passed]) => sum + passed, 0),
    refused: samples.reduce((sum, [, , refused]) => sum + refused, 0),
  }
}

/**
 * Moves the bars to the left once a second, while there are any and time passes by itself. Not with every frame:
 * a page that is open all day must not keep a core of the machine busy.
 */
function useMovement(bars: { current: SVGGElement | null }, rate: Rate | undefined): void {
  useEffect(() => {
    if (rate === undefined) return undefined
    const newest = Math.max(...rate.samples.map(([step]) => step))
    let timer: ReturnType<typeof setInterval> | undefined
    const place = () => {
      const passed = rate.moving ? (performance.now() - newsAt.peek()) / 1000 : 0
      const end = Math.floor(rate.now + passed) + 1
      bars.current?.setAttribute('transform', `translate(${WIDTH - end * BAR} 0)`)
      if (!(end - newest <= SECONDS)) clearInterval(timer)
    }
    if (rate.moving && rate.samples.length > 0) timer = setInterval(place, 1000)
    place()
    return () => clearInterval(timer)
  }, [bars, rate])
}
