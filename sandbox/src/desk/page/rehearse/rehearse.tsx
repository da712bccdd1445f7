import { useEffect } from 'preact/hooks'
import type { Rehearsals } from '../../control/messages/rehearse.js'
import { route } from '../route/route.js'
import { stopPlaying } from '../server/server.js'
import { RehearseCases } from './rehearse-cases.js'
import { RehearseForm } from './rehearse-form.js'
import { linkedIn } from './rehearse-link.js'
import { Linked } from './rehearse-linked.js'
import { change, chosen, isAway, rehearsals } from './rehearse-model.js'
import { RehearseResult } from './rehearse-result.js'

/** Plays what could go wrong against the merchant's own application: what on the left, what came of it on the right. */
export function Rehearse() {
  const state = rehearsals.value
  return (
    <main class="body rehearse">
      <section class="side" aria-label="What can go wrong">
        <h2>What if…</h2>
        <p class="lead">
          Plays one thing that can go wrong against your application, as a customer would meet it, and counts
          what the gateway holds: one payment and not two.
        </p>
        {state === null ? <Nothing /> : <Choice state={state} />}
      </section>
      <section class="pane" id="pane" tabIndex={-1} aria-label="What came of it">
        {state !== null && <Outcome state={state} />}
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
  const { act, named, isFixed, impossible } = state
  return (
    <>
      {isFixed ? (
        <p>
          A customer does: <code>{act}</code>
        </p>
      ) : (
        <details class="card" key={JSON.stringify(named)} open={named === null}>
          <summary>{act === null ? 'Your application' : <code>{act}</code>}</summary>
          <RehearseForm named={named} />
          <p class="fine">
            Requests to this machine only: a web page starts no programs. To have your application started,
            and killed, name it on the command line: <code>merchant-gateway-sandbox --start … --act …</code>
          </p>
        </details>
      )}
      {impossible !== null && <p role="alert">{impossible}</p>}
      {act !== null && impossible === null && <RehearseCases state={state} />}
    </>
  )
}

function Outcome({ state }: { state: Rehearsals }) {
  const { playing, problem, act, cases } = state
  const result = chosen.value
  const linked = linkedIn(route.value.query)
  const title = cases.find(({ name }) => name === playing)?.title
  const shown = linked === null ? null : `${linked.key} ${linked.name}`
  // On a telephone it stands below all cases, and whoever follows a link wants to see what it names.
  useEffect(() => {
    if (shown !== null) document.getElementById('pane')?.scrollIntoView()
  }, [shown])
  return (
    <>
      <p role="status" class="rehearse-status" data-empty={playing === null && problem === null}>
        {playing !== null && (
          <>
            <span>Playing: {title} It takes some seconds, and longer the first time.</span>{' '}
            <button type="button" onClick={() => change(stopPlaying, 'Stopped.')}>
              Stop
            </button>
          </>
        )}
        {problem}
      </p>
      {result === null && linked !== null && <Linked linked={linked} state={state} />}
      {result === null && linked === null && playing === null && <HowItWorks isNamed={act !== null} />}
      {result !== null && <RehearseResult state={state} result={result} />}
    </>
  )
}

/** While nothing has been played. */
function HowItWorks({ isNamed }: { isNamed: boolean }) {
  return (
    <div class="welcome">
      <h3>{isNamed ? 'Choose what goes wrong' : 'How a rehearsal goes'}</h3>
      <ol class="rehearse-how">
        {!isNamed && <li>Say what a customer does with your application, and point that at this sandbox.</li>}
        <li>
          Two carts are ordered with which nothing goes wrong: they show what a cart is, and what it costs.
        </li>
        <li>
          One thing goes wrong with the third. Whoever ordered it tries again as a person would: three times
          at most, and always the same cart.
        </li>
        <li>
          What the gateway holds for it is counted. Both histories stand here, side by side, under the
          verdict.
        </li>
      </ol>
    </div>
  )
}
