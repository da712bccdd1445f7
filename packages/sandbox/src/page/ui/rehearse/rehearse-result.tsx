import { useEffect } from 'preact/hooks'
import type { Rehearsals, Rehearsed } from '../../api/rehearse/rehearse-runner.js'
import { Code } from '../parts/code.js'
import { count } from '../parts/format.js'
import { Mark } from '../parts/step-parts.js'
import { route } from '../route/route.js'
import { stopPlaying } from '../server/server.js'
import { change, chosen, tones } from './rehearse-model.js'

/** What is being played, the verdict with its advice, and the two histories that it compares. */
export function RehearseResult({ state }: { state: Rehearsals }) {
  const { clean, isNamed, playing, problem, results } = state
  const result = chosen.value
  const named = route.value.query.get('result')
  // On a telephone it stands below all cases.
  useEffect(() => {
    if (named !== null) document.getElementById('pane')?.scrollIntoView()
  }, [named])
  return (
    <>
      {/* Whoever doesn't see the page hears what is new in it: the next case, and each verdict. */}
      <div role="status" aria-atomic="false">
        {playing !== null && <Progress playing={playing} cases={state.cases} />}
        {problem}
        {playing === null && results.length > 1 && <p>{summaryOf(results)}</p>}
        {result !== null && (
          <h3 key={`${result.name} ${result.route}`} id="verdict" data-tone={tones[result.outcome]}>
            <Verdict result={result} />
          </h3>
        )}
      </div>
      {result === null && playing === null && <HowItWorks isNamed={isNamed} />}
      {result !== null && (
        <section class="rehearse-result" aria-labelledby="verdict">
          <Advice result={result} />
          <div class="rehearse-two">
            {clean !== null && <History one={clean} beside={null} />}
            <History one={result} beside={clean} />
          </div>
        </section>
      )}
    </>
  )
}

interface ProgressProps {
  readonly playing: NonNullable<Rehearsals['playing']>
  readonly cases: Rehearsals['cases']
}

function Progress({ playing: { name, done, all }, cases }: ProgressProps) {
  const { title = '' } = cases.find((one) => one.name === name) ?? {}
  const which = all > 1 ? ` ${done + 1} of ${all}` : ''
  return (
    <div class="rehearse-status">
      <span>{`Playing${which}: ${title} It takes some seconds, and longer the first time.`}</span>
      {all > 1 && <progress aria-label="Cases played" max={all} value={done} />}
      <button type="button" onClick={() => change(stopPlaying, 'Stopped.')}>
        Stop
      </button>
    </div>
  )
}

function summaryOf(results: readonly Rehearsed[]): string {
  const wrong = results.filter(({ outcome }) => tones[outcome] === 'bad').length
  return `${count(results.length, 'case')} played, ${wrong} wrong.`
}

/** The verdict in a word, and its sentence. */
export function Verdict({ result: { outcome, sentence } }: { result: Rehearsed }) {
  return (
    <>
      <Mark tone={tones[outcome]}>{outcome}</Mark> <span>{sentence.replace(`${outcome}: `, '')}</span>
    </>
  )
}

function Advice({ result: { route, rule, fix = [], hint } }: { result: Rehearsed }) {
  return (
    <>
      {rule !== undefined && (
        <div class="rehearse-advice">
          <p>
            <b>Likely cause:</b> a broken rule. {rule}
          </p>
          {hint !== undefined && (
            <p>
              <b>Where to look:</b> {hint}
            </p>
          )}
          <Code label="How to fix it">{fix.join('\n')}</Code>
        </div>
      )}
      {route !== null && (
        <p class="fine">
          At <code>{route}</code>
        </p>
      )}
    </>
  )
}

interface HistoryProps {
  readonly one: Rehearsed
  /** The history without a fault, beside which this one stands: what it doesn't have is marked. */
  readonly beside: Rehearsed | null
}

function History({ one, beside }: HistoryProps) {
  const differs = beside === null ? null : differences(one.history, beside.history)
  return (
    <section aria-label={one.title}>
      <h4>{one.title}</h4>
      <ol>
        {one.history.map(({ atMs, who, text }, index) => (
          <li key={`${index} ${atMs}`} data-who={who} data-differs={differs?.has(index) ?? false}>
            <time>{`+${(atMs / 1000).toFixed(1)} s`}</time> <b>{who}</b> <bdi>{text}</bdi>
          </li>
        ))}
      </ol>
      {one.payments.map(({ kind, id }) => (
        <p key={id} class="fine">
          <a href={`#/${kind}/${encodeURIComponent(id)}`}>
            Open the {kind} <bdi>{id}</bdi>
          </a>
        </p>
      ))}
    </section>
  )
}

/** Which lines the history beside it does not have, or not so often: a second payment begins as the first did. */
function differences(history: Rehearsed['history'], beside: Rehearsed['history']): ReadonlySet<number> {
  const left = beside.map(({ text }) => withoutNumbers(text))
  const differs = history.flatMap(({ text }, index) => {
    const at = left.indexOf(withoutNumbers(text))
    if (at >= 0) left.splice(at, 1)
    return at >= 0 ? [] : [index]
  })
  return new Set(differs)
}

/** Carts and ids have other numbers each time. A status of HTTP is what may differ. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/[\w-]*\d{4,}[\w-]*…?|[0-9a-f]{8}…/g, '#')
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
