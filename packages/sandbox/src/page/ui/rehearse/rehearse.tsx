import type { Rehearsals } from '../../api/rehearse/rehearse-runner.js'
import { linkWith, route } from '../route/route.js'
import { begin, endpoint, isAway, rehearsals } from './rehearse-model.js'
import { RehearseResult, Verdict } from './rehearse-result.js'

type OfferedCase = Rehearsals['cases'][number]

/** Plays what could go wrong against the merchant's own application: the cases on the left, the result on the right. */
export function Rehearse() {
  const state = rehearsals.value
  return (
    <main class="body rehearse">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: It scrolls, and no button in it has the focus while a case is played. */}
      <section class="side" aria-label="What can go wrong" tabIndex={0}>
        <h2>What if…</h2>
        <p class="lead">
          Plays what can go wrong against your application, as a customer would meet it, and counts what the
          gateway holds: one payment and not two.
        </p>
        {state === null ? <Nothing /> : <Choice state={state} />}
      </section>
      <section class="pane" id="pane" tabIndex={-1} aria-label="Result">
        {state !== null && <RehearseResult state={state} />}
      </section>
    </main>
  )
}

/** Until the first answer. */
function Nothing() {
  return (
    <p>{isAway.value ? 'The sandbox does not answer; this view comes back when it does.' : 'Loading…'}</p>
  )
}

function Choice({ state }: { state: Rehearsals }) {
  const { isNamed, impossible } = state
  return (
    <>
      {!isNamed && (
        <p>
          A web page starts no programs: name your application where you start the sandbox, such as{' '}
          <code>
            {'merchant-gateway-sandbox --start "npm start" --act "POST http://localhost:3000/orders/{n}"'}
          </code>
        </p>
      )}
      {impossible !== null && <p role="alert">{impossible}</p>}
      {isNamed && impossible === null && <Cases state={state} />}
    </>
  )
}

/** The cases that make sense where the reader comes from, each with its newest verdict. */
function Cases({ state }: { state: Rehearsals }) {
  const { cases, playing, clean } = state
  const of = route.value.query.get('of')
  return (
    <section aria-labelledby="cases">
      <h3 id="cases">{titleOf(of)}</h3>
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
          .filter((one) => fits(one, of))
          .map((one) => (
            <CaseRow key={one.name} one={one} state={state} />
          ))}
      </ul>
    </section>
  )
}

function CaseRow({ one, state: { playing, results } }: { one: OfferedCase; state: Rehearsals }) {
  const { name, title, impossible } = one
  const at = endpoint.value
  const result = results.find((found) => found.name === name && found.route === at)
  return (
    <li data-playing={name === playing?.name}>
      <button
        type="button"
        disabled={playing !== null || impossible !== null}
        onClick={() => play({ name, ...(at !== null && { route: at }) })}
      >
        {title}
      </button>
      {impossible !== null && <span class="fine">{impossible}</span>}
      {impossible === null && result !== undefined && (
        <a class="fine" href={linkWith({ result: name })}>
          <Verdict result={result} />
        </a>
      )}
    </li>
  )
}

function titleOf(of: string | null): string {
  if (of === 'callback') return 'What could happen to a callback'
  const at = endpoint.value
  return at === null ? 'What could go wrong' : `What could happen to the answer of ${at}`
}

/** What happens to the create alone makes no sense at another endpoint. */
function fits({ of }: OfferedCase, wanted: string | null): boolean {
  if (wanted === null) return true
  if (wanted === 'callback') return of === 'callback'
  return of === 'answer' || (of === 'create' && endpoint.value?.startsWith('POST /pay') === true)
}

function play(order: Parameters<typeof begin>[0]): void {
  // The button can't be pressed meanwhile, and loses the focus. On a telephone, this is also where to look.
  const pane = document.getElementById('pane')
  pane?.focus()
  pane?.scrollIntoView()
  void begin(order)
}
