import type { ApplicationOrder } from '../../control/messages/rehearse.js'
import { onSubmit, TextField, textOf } from '../parts/fields.js'
import { nameApplication } from '../server/server.js'
import { change } from './rehearse-model.js'

/** Names the application: requests only, because a web page must not start programs. */
export function RehearseForm({ named }: { named: ApplicationOrder | null }) {
  const submit = onSubmit((form) => {
    const more = ['before', 'status', 'paid'].map((name) => [name, textOf(form, name)])
    const given = Object.fromEntries(more.filter(([, text]) => text !== ''))
    const order: ApplicationOrder = { act: textOf(form, 'act'), ...given }
    void change(() => nameApplication(order), 'The application is named.')
  })
  const { act = '', before = '', status = '', paid = '' } = named ?? {}
  return (
    <form class="rehearse-form" onSubmit={submit}>
      <TextField
        name="act"
        label="What a customer does; {n} is the number of the cart"
        value={act}
        placeholder="POST http://localhost:3000/orders/{n}"
        isRequired
      />
      <TextField
        name="before"
        label="What goes before it, such as ordering what is refunded (optional)"
        value={before}
        placeholder="POST http://localhost:3000/orders/{n}"
      />
      <TextField
        name="status"
        label="Where your application says whether cart {n} is paid (optional)"
        value={status}
        placeholder="http://localhost:3000/orders/{n}"
      />
      <TextField
        name="paid"
        label="What that answer contains when it is paid, such as state=paid"
        value={paid}
        placeholder="status=paid"
      />
      <button type="submit">Use this application</button>
    </form>
  )
}
