import type { OfferedCase, Rehearsals } from '../../control/messages/rehearse.js'
import { route } from '../route/route.js'
import { begin } from './rehearse-model.js'

/** The cases that make sense where the reader comes from. */
export function RehearseCases({ state: { cases, playing } }: { state: Rehearsals }) {
  const { query } = route.value
  const at = query.get('route')
  const of = query.get('of')
  const fitting = cases.filter((one) => fits(one, of, at))
  return (
    <section aria-labelledby="cases">
      <h3 id="cases">{titleOf(of, at)}</h3>
      {of !== null && (
        <p class="fine">
          <a href="#/rehearse">Show all cases, at the create</a>
        </p>
      )}
      <ul class="rehearse-cases">
        {fitting.map((one) => (
          <li key={one.name} data-playing={one.name === playing}>
            <button
              type="button"
              disabled={playing !== null || one.impossible !== null}
              onClick={() => play(one, at)}
            >
              {one.title}
            </button>
            {one.impossible !== null && <span class="fine">{one.impossible}</span>}
          </li>
        ))}
      </ul>
    </section>
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

function play({ name, of }: OfferedCase, at: string | null): void {
  // The button can't be pressed meanwhile, and loses the focus. On a telephone, this is also where to look.
  const pane = document.getElementById('pane')
  pane?.focus()
  pane?.scrollIntoView()
  const aim = at === null || of === 'callback' ? {} : { route: at }
  void begin({ name, ...aim })
}
