import { onSubmit, TextField, textOf } from '../parts/fields.js'
import { nameApplication } from '../server/server.js'
import { change } from './rehearse-model.js'

/** Names the application: requests only, because a web page must not start programs. */
export function RehearseForm() {
  const submit = onSubmit((form) => {
    const more = ['status', 'paid'].map((name) => [name, textOf(form, name)])
    const order = {
      act: textOf(form, 'act'),
      ...Object.fromEntries(more.filter(([, text]) => text !== '')),
    }
    void change(() => nameApplication(order), 'The application is named.')
  })
  return (
    <form class="rehearse-form" onSubmit={submit}>
      <TextField
        name="act"
        label="What a customer does; {n} is the number of the cart"
        placeholder="POST http://localhost:3000/orders/{n}"
        isRequired
      />
      <TextField
        name="status"
        label="Where your application says whether cart {n} is paid (optional)"
        placeholder="http://localhost:3000/orders/{n}"
      />
      <TextField
        name="paid"
        label="What that answer contains when it is paid, such as state=paid"
        placeholder="status=paid"
      />
      <button type="submit">Use this application</button>
    </form>
  )
}
