import { useEffect } from 'preact/hooks'
import type { Rehearsals } from '../../control/rehearse/rehearse-runner.js'
import { route } from '../route/route.js'
import { stopPlaying } from '../server/server.js'
import { RehearseCases } from './rehearse-cases.js'
import { change, chosen, isAway, rehearsals } from './rehearse-model.js'
import { RehearseResult } from './rehearse-result.js'

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
      {isNamed && impossible === null && <RehearseCases state={state} />}
    </>
  )
}

function Outcome({ state }: { state: Rehearsals }) {
  const { playing, problem, isNamed } = state
  const result = chosen.value
  const named = route.value.query.get('result')
  // On a telephone it stands below all cases.
  useEffect(() => {
    if (named !== null) document.getElementById('pane')?.scrollIntoView()
  }, [named])
  return (
    <>
      <div role="status" class="rehearse-status" data-empty={playing === null && problem === null}>
        {playing !== null && <Progress playing={playing} cases={state.cases} />}
        {problem}
      </div>
      {result === null && playing === null && <HowItWorks isNamed={isNamed} />}
      {result !== null && <RehearseResult state={state} result={result} />}
    </>
  )
}

interface ProgressProps {
  readonly playing: NonNullable<Rehearsals['playing']>
  readonly cases: Rehearsals['cases']
}

function Progress({ playing: { name, done, all }, cases }: ProgressProps) {
  const { title } = cases.find((one) => one.name === name) ?? {}
  return (
    <>
      <span>
        Playing{all > 1 && ` ${done + 1} of ${all}`}: {title} It takes some seconds, and longer the first
        time.
      </span>{' '}
      {all > 1 && <progress aria-label="Cases played" max={all} value={done} />}{' '}
      <button type="button" onClick={() => change(stopPlaying, 'Stopped.')}>
        Stop
      </button>
    </>
  )
}

/** While nothing has been played. */
function HowItWorks({ isNamed }: { isNamed: boolean }) {
  return (
    <div class="welcome">
      <h3>{isNamed ? 'Choose what goes wrong' : 'How a rehearsal goes'}</h3>
      <ol class="rehearse-how">
        <li>
          Two carts are ordered with which nothing goes wrong: they show what a cart is, and what it costs.
        </li>
        <li>
          One thing goes wrong with each cart after them. Whoever ordered it tries again as a person would:
          three times at most, and always the same cart.
        </li>
        <li>
          What the gateway holds for it is counted. Both histories stand here, side by side, under the
          verdict.
        </li>
      </ol>
    </div>
  )
}
