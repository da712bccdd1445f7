import type { AddedFault } from '../../api/actions/faults.js'
import type { Opened } from '../route/route-hash.js'
import { act, sandboxState } from '../server/live.js'
import { removeAllFaults, removeFault } from '../server/server.js'

export function FaultList({ faults }: { faults: readonly AddedFault[] }) {
  return (
    <>
      <div class="toolbar-head">
        <h2>Faults</h2>
        {faults.length > 0 && (
          <button
            type="button"
            onClick={() => act(removeAllFaults, 'All faults were removed, and the clock is right.')}
          >
            Remove all
          </button>
        )}
      </div>
      {faults.length === 0 ? (
        <p class="fine">There is none. Those that code adds are shown here too.</p>
      ) : (
        <Rows faults={faults} />
      )}
    </>
  )
}

/** The faults that the next request or callback of this payment may meet. */
export function WaitingFaults({ kind, id }: Opened) {
  const { faults = [] } = sandboxState.value ?? {}
  const places = ['*', 'create', kind]
  const waiting = faults.filter((fault) => {
    const isHere = places.includes(fault.place) || fault.place.includes(`/${kind}s/{`)
    return isHere && (fault.id === null || fault.id === id)
  })
  if (waiting.length === 0) return null
  return (
    <section class="note" data-tone="waiting">
      <h3>{waiting.length === 1 ? 'A fault waits' : `${waiting.length} faults wait`}</h3>
      <Rows faults={waiting} />
    </section>
  )
}

function Rows({ faults }: { faults: readonly AddedFault[] }) {
  return (
    <ul class="added" aria-label="Faults">
      {faults.map((fault) => (
        <FaultRow key={fault.key} fault={fault} />
      ))}
    </ul>
  )
}

function FaultRow({ fault }: { fault: AddedFault }) {
  const { key, kind, id, parameters } = fault
  return (
    <li>
      <div>
        <b>{kind}</b> {placeOf(fault)}
        {id !== null && (
          <>
            {' '}
            for <code>{id}</code>
          </>
        )}
        <p class="fine">
          {[...parameters.map(([name, value]) => `${name} ${value}`), ...countsOf(fault)].join(' · ')}
        </p>
      </div>
      <button type="button" onClick={() => act(() => removeFault(key), 'The fault was removed.')}>
        Remove
      </button>
    </li>
  )
}

function placeOf({ at, place }: AddedFault): string {
  if (at === 'callback') return place === '*' ? 'to any callback' : `to a callback about a ${place}`
  if (place === 'create') return 'at the create of a payin or payout'
  return place === '*' ? 'at any request' : `at ${place}`
}

function countsOf({ hits, times, toSkip, probability }: AddedFault): string[] {
  return [
    times === null ? `hit ${hits}, always` : `hit ${hits} of ${times}`,
    ...(toSkip === 0 ? [] : [`skips ${toSkip} first`]),
    ...(probability === 1 ? [] : [`probability ${probability * 100} %`]),
  ]
}
