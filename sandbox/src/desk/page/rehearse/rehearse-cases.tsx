import type { Rehearsals, Rehearsed } from '../../control/rehearse/rehearse-runner.js'
import { linkWith, route } from '../route/route.js'
import { begin } from './rehearse-model.js'
import { Verdict } from './rehearse-result.js'

type OfferedCase = Rehearsals['cases'][number]

/** The cases that make sense where the reader comes from, each with its newest verdict. */
export function RehearseCases({ state }: { state: Rehearsals }) {
  const { cases, playing, clean } = state
  const { query } = route.value
  const at = query.get('route')
  const of = query.get('of')
  return (
    <section aria-labelledby="cases">
      <h3 id="cases">{titleOf(of, at)}</h3>
      {of === null ? (
        <button type="button" class="primary" disabled={playing !== null} onClick={() => play({})}>
          Play all
        </button>
      ) : (
        <p class="fine">
          <a href="#/rehearse">Show all cases, at the create</a>
        </p>
      )}
      <ul class="rehearse-cases">
        {clean !== null && (
          <li>
            {clean.title} <Verdict result={clean} />
          </li>
        )}
        {cases
          .filter((one) => fits(one, of, at))
          .map((one) => (
            <CaseRow key={one.name} one={one} state={state} at={of === 'callback' ? null : at} />
          ))}
      </ul>
    </section>
  )
}

interface RowProps {
  readonly one: OfferedCase
  readonly state: Rehearsals
  /** The endpoint whose answer goes wrong; null for the create. */
  readonly at: string | null
}

function CaseRow({ one: { name, title, impossible }, state: { playing, results }, at }: RowProps) {
  const result = results.find((found) => found.name === name && found.route === at)
  return (
    <li data-playing={name === playing?.name}>
      <button
        type="button"
        disabled={playing !== null || impossible !== null}
        onClick={() => play({ name, ...(at === null ? {} : { route: at }) })}
      >
        {title}
      </button>
      {impossible !== null && <span class="fine">{impossible}</span>}
      {impossible === null && result !== undefined && <ResultLink result={result} />}
    </li>
  )
}

function ResultLink({ result }: { result: Rehearsed }) {
  return (
    <a class="fine" href={linkWith({ result: String(result.key) })}>
      <Verdict result={result} />
    </a>
  )
}

function titleOf(of: string | null, at: string | null): string {
  if (of === 'callback') return 'What could happen to a callback'
  return at === null ? 'What could go wrong' : `What could happen to the answer of ${at}`
}

/** What happens to the create alone makes no sense at another endpoint. */
function fits({ of }: OfferedCase, wanted: string | null, at: string | null): boolean {
  if (wanted === null) return true
  if (wanted === 'callback') return of === 'callback'
  return of === 'answer' || (of === 'create' && at?.startsWith('POST /pay') === true)
}

function play(order: Parameters<typeof begin>[0]): void {
  // The button can't be pressed meanwhile, and loses the focus. On a telephone, this is also where to look.
  const pane = document.getElementById('pane')
  pane?.focus()
  pane?.scrollIntoView()
  void begin(order)
}
