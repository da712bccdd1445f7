import { useSignal } from '@preact/signals'
import type { ResendOrder } from '../../api/orders.js'
import { announce } from '../parts/announce.js'
import { CopyButton } from '../parts/copy-button.js'
import { LongField, onSubmit, TextField, textOf } from '../parts/fields.js'
import { sandboxInfo } from '../server/sandbox-info.js'
import { resendRequest } from '../server/server.js'
import { asCode, type Copied, type CopyPlace } from './copy-text.js'

/** A request of the log; its number is in the address of its page. */
export interface ActedOn extends Copied {
  readonly number: number
}

/** Sends a request again, as it was or edited, and copies it. */
export function RequestActions({ request }: { request: ActedOn }) {
  const place = sandboxInfo.value && { ...sandboxInfo.value, origin: location.origin }
  const isEditing = useSignal(false)
  const isBusy = useSignal(false)
  const send = async (order: ResendOrder) => {
    if (isBusy.peek()) return
    isBusy.value = true
    try {
      const { message, arrived, number } = await resendRequest(request.number, order)
      const isSent = number !== null
      announce(isSent ? `Sent again under the same id. ${message}` : message, !isSent || !arrived)
    } catch (error) {
      announce(error instanceof Error ? error.message : String(error), true)
    } finally {
      isBusy.value = false
    }
  }
  return (
    <div class="request-actions">
      {/* biome-ignore lint/a11y/useSemanticElements: these buttons are no fields, so a fieldset would be wrong */}
      <div class="toolbar-row" role="group" aria-label={`What to do with ${request.method} ${request.path}`}>
        <button
          type="button"
          class="small"
          title="Under the same id, with a token of its own: a create that was accepted is answered 409"
          aria-disabled={isBusy.value}
          onClick={() => send({})}
        >
          Send again
        </button>
        <button
          type="button"
          class="small"
          aria-expanded={isEditing.value}
          onClick={() => {
            isEditing.value = !isEditing.peek()
          }}
        >
          Edit and send again
        </button>
        {place !== null && <Copies request={request} place={place} />}
      </div>
      {isEditing.value && <EditForm request={request} send={send} />}
    </div>
  )
}

function Copies({ request, place }: { request: ActedOn; place: CopyPlace }) {
  const link = () => `${location.origin}${location.pathname}#/request/${request.number}`
  return (
    <>
      <CopyButton text={() => asCode(request, place)}>Copy as code</CopyButton>
      <CopyButton text={link}>Copy the link</CopyButton>
    </>
  )
}

function EditForm({ request, send }: { request: ActedOn; send: (order: ResendOrder) => Promise<void> }) {
  const { path, body } = request
  const submit = onSubmit((form) => {
    void send({ path: textOf(form, 'path'), ...(body === null ? {} : { body: textOf(form, 'body') }) })
  })
  return (
    <form class="fault-form" onSubmit={submit}>
      <TextField name="path" label="Path; another id makes another payment" value={path} isRequired />
      {body !== null && (
        <LongField name="body" label="Body; what is masked and left so is sent as it was" value={body} />
      )}
      <button type="submit">Send</button>
    </form>
  )
}
