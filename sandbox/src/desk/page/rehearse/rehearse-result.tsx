import type { Rehearsals, Rehearsed } from '../../control/messages/rehearse.js'
import { attempt } from '../parts/announce.js'
import { Mark } from '../parts/step-parts.js'
import { exportRehearsal } from '../server/server.js'
import { RehearsedHistory } from './rehearse-history.js'
import { linkTo } from './rehearse-link.js'

const tones = { passed: 'good', failed: 'bad', skipped: 'calm' } as const
const words = { passed: 'passed', failed: 'failed', skipped: 'no verdict' } as const

interface ResultProps {
  readonly state: Rehearsals
  readonly result: Rehearsed
}

/** The history without a fault beside the one with it, and the verdict above both. */
export function RehearseResult({ state, result }: ResultProps) {
  const { clean, named, isRepeatable } = state
  const { key, outcome, sentence, route } = result
  return (
    <section class="rehearse-result" aria-labelledby="verdict">
      <h3 id="verdict" data-tone={tones[outcome]}>
        <Mark tone={tones[outcome]}>{words[outcome]}</Mark> <span>{sentence}</span>
      </h3>
      {route !== null && (
        <p class="fine">
          At <code>{route}</code>
        </p>
      )}
      <div class="rehearse-two">
        {clean !== null && <RehearsedHistory one={clean} beside={null} />}
        <RehearsedHistory one={result} beside={clean} />
      </div>
      <p class="toolbar-row">
        {isRepeatable && (
          <button type="button" onClick={() => save(key)}>
            Save as a test for vitest
          </button>
        )}
        <button type="button" onClick={() => copyLink(linkTo(result, named))}>
          Copy a link
        </button>
      </p>
    </section>
  )
}

function save(key: number): void {
  void attempt(async () => {
    const { fileName, text } = await exportRehearsal(key)
    const address = URL.createObjectURL(new Blob([text]))
    const link = document.createElement('a')
    link.href = address
    link.download = fileName
    link.click()
    URL.revokeObjectURL(address)
  }, 'The file is saved.')
}

function copyLink(hash: string): void {
  const link = new URL(location.href)
  link.hash = hash
  void attempt(() => navigator.clipboard.writeText(link.href), 'The link is copied.')
}
