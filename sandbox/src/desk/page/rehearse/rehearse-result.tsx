import type { Rehearsals, Rehearsed } from '../../control/rehearse/rehearse-runner.js'
import { Code } from '../parts/code.js'
import { Mark } from '../parts/step-parts.js'
import { RehearsedHistory } from './rehearse-history.js'
import { verdictOf } from './rehearse-model.js'

interface ResultProps {
  readonly state: Rehearsals
  readonly result: Rehearsed
}

/** The history without a fault beside the one with it, and the verdict with its advice above both. */
export function RehearseResult({ state: { clean }, result }: ResultProps) {
  const { route, rule, fix = [], hint } = result
  return (
    <section class="rehearse-result" aria-labelledby="verdict">
      <h3 id="verdict" data-tone={verdictOf(result).tone}>
        <Verdict result={result} />
      </h3>
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
      <div class="rehearse-two">
        {clean !== null && <RehearsedHistory one={clean} beside={null} />}
        <RehearsedHistory one={result} beside={clean} />
      </div>
    </section>
  )
}

/** The verdict in a word, and its sentence. */
export function Verdict({ result }: { result: Rehearsed }) {
  const { tone, words } = verdictOf(result)
  return (
    <>
      <Mark tone={tone}>{words}</Mark> <span>{result.sentence.replace(`${words}: `, '')}</span>
    </>
  )
}
