import { useSignal } from '@preact/signals'
import type { Kind } from '../../api/payments/listing.js'
import { attempt } from '../parts/announce.js'
import {
  Check,
  Choice,
  LongField,
  NumberField,
  numberOf,
  onSubmit,
  TextField,
  textOf,
} from '../parts/fields.js'
import { sendCallback, settle } from '../server/server.js'

interface Target {
  readonly kind: Kind
  readonly id: string
}

/** Gives the payment any status at all, as code can. */
export function StatusForm({ kind, id }: Target) {
  const submit = onSubmit((form) => {
    const status = textOf(form, 'status')
    const processed = textOf(form, 'processed')
    const body = { status, ...(processed === 'auto' ? {} : { processed: processed === 'yes' }) }
    void attempt(() => settle(kind, id, body), `The ${kind} is now ${status}.`)
  })
  const choices = [
    ['auto', 'when the status is final'],
    ['yes', 'yes'],
    ['no', 'no'],
  ] as const
  return (
    <details class="card">
      <summary>Give it any status</summary>
      <form class="fault-form" onSubmit={submit}>
        <TextField name="status" label="Status" value="UNDER_REVIEW" isRequired />
        <Choice name="processed" label="Carries processedAt" choices={choices} />
        <button type="submit">Set</button>
      </form>
    </details>
  )
}

/** Sends a callback about the payment in any form that a gateway might give it. */
export function CallbackForms({ kind, id }: Target) {
  const hasBody = useSignal(false)
  const submit = onSubmit((form) => {
    void attempt(() => sendCallback(kind, id, formOf(form, hasBody.peek())), 'The callback goes out.')
  })
  return (
    <details class="card">
      <summary>Send a callback in another form</summary>
      <form class="fault-form" onSubmit={submit}>
        <TextField name="method" label="Method" value="POST" isRequired />
        <TextField name="contentType" label="Content type; empty for none" value="application/json" />
        <span
          onChange={() => {
            hasBody.value = !hasBody.peek()
          }}
        >
          <Check name="own">A body of its own</Check>
        </span>
        {hasBody.value && (
          <LongField name="body" label="Body; empty for none" value={'{ "event": "unheard-of" }'} />
        )}
        <NumberField name="chunks" label="In so many pieces; empty for whole" min={1} max={1000} isOptional />
        <NumberField name="chunkGapMs" label="Between two pieces, in ms" value={0} min={0} max={60_000} />
        <NumberField name="times" label="How often, at once" value={1} min={1} max={1000} />
        <NumberField name="afterMs" label="After, in ms" value={0} min={0} max={86_400_000} />
        <button type="submit">Send</button>
      </form>
    </details>
  )
}

function formOf(form: HTMLFormElement, hasBody: boolean): Readonly<Record<string, string | number>> {
  const [chunks, afterMs] = [numberOf(form, 'chunks'), numberOf(form, 'afterMs')]
  const gap = numberOf(form, 'chunkGapMs')
  return {
    method: textOf(form, 'method'),
    contentType: textOf(form, 'contentType'),
    times: numberOf(form, 'times'),
    ...(hasBody ? { body: textOf(form, 'body') } : {}),
    ...(Number.isNaN(chunks) ? {} : { chunks }),
    ...(gap > 0 ? { chunkGapMs: gap } : {}),
    ...(afterMs > 0 ? { afterMs } : {}),
  }
}
