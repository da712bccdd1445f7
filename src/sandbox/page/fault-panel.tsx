import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ArmedFault, Kind } from '../control/messages.js'
import { attempt } from './announce.js'
import { FaultForm } from './fault-form.js'
import { count } from './format.js'
import { onNews } from './live.js'
import { oneAtATime } from './one-at-a-time.js'
import { disarmFault, faults } from './server.js'

export const armed = signal<readonly ArmedFault[]>([])

const load = oneAtATime(async () => {
  armed.value = await faults().catch(() => armed.peek())
})

/** Faults that wait for their request, and a form for another. */
export function FaultPanel({ payment }: { payment?: { readonly kind: Kind; readonly id: string } }) {
  useEffect(() => {
    load()
    return onNews(load)
  }, [])
  return (
    <details class="card">
      <summary>
        Arm a fault
        {armed.value.length > 0 && <span class="badge">{count(armed.value.length, 'fault')} armed</span>}
      </summary>
      <FaultForm payment={payment} onArmed={load} />
      {armed.value.length > 0 && (
        <ul class="armed" aria-label="Armed faults">
          {armed.value.map((fault) => (
            <ArmedRow key={fault.key} fault={fault} />
          ))}
        </ul>
      )}
    </details>
  )
}

function ArmedRow({ fault }: { fault: ArmedFault }) {
  const { key, kind, route, id, hits, times } = fault
  const disarm = () =>
    attempt(async () => {
      armed.value = await disarmFault(key)
    }, 'The fault is disarmed.')
  return (
    <li>
      <span>
        <b>{kind}</b> at {route === '*' ? 'any request' : route}
        {id !== null && (
          <>
            {' '}
            for <code>{id}</code>
          </>
        )}
        : hit {hits} of {times}
      </span>
      <button type="button" onClick={disarm}>
        Disarm
      </button>
    </li>
  )
}
