import type { Kind } from '../../control/payments/listing.js'
import { FaultForm } from '../faults/fault-form.js'
import { ArmedList } from '../faults/fault-list.js'
import { count } from '../parts/format.js'
import { sandboxState } from '../server/sandbox-state.js'
import { CallbackForms, StatusForm } from './payment-forms.js'

/** What can be done to this payment beside its outcomes: faults, any status, callbacks of any form. */
export function FaultPanel({ payment }: { payment: { readonly kind: Kind; readonly id: string } }) {
  const faults = (sandboxState.value?.faults ?? []).filter(({ id }) => id === null || id === payment.id)
  return (
    <>
      <details class="card">
        <summary>
          Arm a fault{' '}
          {faults.length > 0 && (
            <span class="pill" data-tone="waiting">
              {count(faults.length, 'fault')} armed
            </span>
          )}
        </summary>
        <FaultForm payment={payment} />
        {faults.length > 0 && <ArmedList faults={faults} />}
      </details>
      <StatusForm {...payment} />
      <CallbackForms {...payment} />
    </>
  )
}
