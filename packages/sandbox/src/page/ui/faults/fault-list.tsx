import type { ArmedFault } from '../../api/controls/page-faults.js'
import { act } from '../server/sandbox-state.js'
import { disarmAll, disarmFault } from '../server/server.js'

/** The active faults, set by the page or by code, with all their parameters. */
export function ArmedFaults({ faults }: { faults: readonly ArmedFault[] }) {
  return (
    <>
      <div class="toolbar-head">
        <h2>Faults</h2>
        {faults.length > 0 && (
          <button
            type="button"
            onClick={() => act(disarmAll, 'All faults are disarmed, and the clock is right.')}
          >
            Disarm all
          </button>
        )}
      </div>
      {faults.length === 0 ? (
        <p class="fine">None is armed. Those that code arms are shown here too.</p>
      ) : (
        <ul class="armed" aria-label="Armed faults">
          {faults.map((fault) => (
            <ArmedRow key={fault.key} fault={fault} />
          ))}
        </ul>
      )}
    </>
  )
}

function ArmedRow({ fault }: { fault: ArmedFault }) {
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
          {[...parameters.map(([name, value]) => `${name} ${value}`), countOf(fault)].join(' · ')}
        </p>
      </div>
      <button type="button" onClick={() => act(() => disarmFault(key), 'The fault is disarmed.')}>
        Disarm
      </button>
    </li>
  )
}

function placeOf({ at, place }: ArmedFault): string {
  if (at === 'callback') return place === '*' ? 'to any callback' : `to a callback about a ${place}`
  return place === '*' ? 'at any request' : `at ${place}`
}

function countOf({ hits, times, toSkip, probability }: ArmedFault): string {
  const count = times === null ? `hit ${hits}, every time` : `hit ${hits} of ${times}`
  return [
    count,
    toSkip === 0 ? '' : `lets ${toSkip} pass first`,
    probability === 1 ? '' : `with a chance of ${probability * 100} %`,
  ]
    .filter(Boolean)
    .join(', ')
}
