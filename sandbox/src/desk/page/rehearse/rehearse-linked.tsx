import type { Rehearsals } from '../../control/messages/rehearse.js'
import { nameApplication } from '../server/server.js'
import type { LinkedRehearsal } from './rehearse-link.js'
import { begin, change } from './rehearse-model.js'

interface LinkedProps {
  readonly linked: LinkedRehearsal
  readonly state: Rehearsals
}

/** A link from another sandbox, or from one that has ended: it can be played here, and nothing begins by itself. */
export function Linked({ linked, state }: LinkedProps) {
  const { name, route, order } = linked
  const offered = state.cases.find((one) => one.name === name)
  if (offered === undefined) return <p role="alert">The link names a case that this sandbox does not have.</p>
  const brings = state.isFixed || order === null ? null : order
  const canPlay = brings !== null || state.act !== null
  const play = async () => {
    if (brings !== null && !(await change(() => nameApplication(brings), 'The application is named.'))) return
    await begin({ name, ...(route === null ? {} : { route }) })
  }
  return (
    <section class="rehearse-linked" aria-labelledby="linked">
      <h3 id="linked">A link to a rehearsal</h3>
      <p>
        {offered.title}
        {route !== null && (
          <>
            {' '}
            At <code>{route}</code>.
          </>
        )}
      </p>
      {brings !== null && (
        <p>
          A customer does: <code>{brings.act}</code>
          {brings.before !== undefined && (
            <>
              {' '}
              after <code>{brings.before}</code>
            </>
          )}
        </p>
      )}
      {canPlay ? (
        <button
          type="button"
          class="primary"
          disabled={state.playing !== null || offered.impossible !== null || state.impossible !== null}
          onClick={play}
        >
          Play it here
        </button>
      ) : (
        <p class="fine">
          It was played with an application that is a command, and a link starts no programs. Start this
          sandbox with yours, <code>merchant-gateway-sandbox --start … --act …</code>, and open the link
          there.
        </p>
      )}
      {offered.impossible !== null && <p class="fine">{offered.impossible}</p>}
    </section>
  )
}
