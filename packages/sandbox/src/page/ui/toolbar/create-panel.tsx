import { useSignal } from '@preact/signals'
import type { Created } from '../../api/actions/create.js'
import type { Info } from '../../api/actions/state.js'
import type { CreateBody } from '../../api/bodies.js'
import { announce } from '../parts/announce.js'
import { Choice, Field, numberOf, onSubmit, textOf } from '../parts/fields.js'
import { linkToPayment } from '../route/route.js'
import { sandboxInfo, sandboxState } from '../server/sandbox-state.js'
import { createPayment } from '../server/server.js'

type Magic = Info['magic'][number]

const kinds = [
  ['payin', 'Payin: a customer pays'],
  ['payout', 'Payout: you pay somebody'],
] as const

export function CreatePanel({ close }: { close: () => void }) {
  const failed = useSignal<{ readonly body: CreateBody; readonly created: Created } | null>(null)
  const problem = useSignal('')
  const { magic = [] } = sandboxInfo.value ?? {}
  const send = async (body: CreateBody) => {
    problem.value = ''
    try {
      const created = await createPayment(body)
      announce(created.message, !created.held)
      if (created.held) {
        location.hash = linkToPayment(created)
        close()
      } else failed.value = { body: { ...body, id: created.id }, created }
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error)
    }
  }
  return (
    <>
      <h2>Create a payment</h2>
      <p class="fine">
        By a signed request to this gateway, as your server sends it. The customer is made up.
      </p>
      <form class="toolbar-form" onSubmit={onSubmit((form) => void send(bodyOf(form, magic)))}>
        {magic.length > 0 && <Choice name="magic" label="What happens" choices={outcomesOf(magic)} />}
        <PaymentFields />
        <button type="submit">Create</button>
      </form>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {failed.value !== null && <Failed {...failed.value} again={send} />}
    </>
  )
}

function PaymentFields() {
  const { balances = [], operators = [] } = sandboxState.value ?? {}
  const currencies = balances.map(({ currencyCode }): [string, string] => [currencyCode, currencyCode])
  const euro = currencies.find(([code]) => code === 'EUR')?.[0] ?? currencies[0]?.[0] ?? 'EUR'
  return (
    <>
      <Choice name="kind" label="Kind" choices={kinds} />
      <div class="toolbar-row">
        <Field type="number" name="amount" label="Amount" defaultValue="10.50" step="any" required />
        <Choice name="currency" label="Currency" choices={currencies} value={euro} />
      </div>
      <Choice
        name="operator"
        label="Operator"
        choices={operators.map(({ code, name }): [string, string] => [code, name])}
      />
      <Field name="id" label="Id" placeholder="made when empty" />
      <Field name="callbackUrl" label="Callback URL" placeholder="none" />
    </>
  )
}

function outcomesOf(magic: readonly Magic[]): [value: string, words: string][] {
  return [
    ['', 'As the sandbox is set'],
    ...magic.map(({ amount, meaning }): [string, string] => [String(amount), `${amount}: ${meaning}`]),
  ]
}

interface FailedProps {
  readonly body: CreateBody
  readonly created: Created
  readonly again: (body: CreateBody) => Promise<void>
}

function Failed({ body, created: { kind, id, message }, again }: FailedProps) {
  return (
    <div class="toolbar-result" data-tone="bad" role="alert">
      <p>{message}</p>
      <p class="fine">
        The sandbox holds no {kind} <code>{id}</code>.
      </p>
      <button type="button" onClick={() => again(body)}>
        Send it again, same id
      </button>
    </div>
  )
}

function bodyOf(form: HTMLFormElement, known: readonly Magic[]): CreateBody {
  const [id, callbackUrl] = [textOf(form, 'id'), textOf(form, 'callbackUrl')]
  const wanted = known.find((one) => String(one.amount) === textOf(form, 'magic'))
  return {
    kind: textOf(form, 'kind') === 'payout' ? 'payout' : 'payin',
    amount: numberOf(form, 'amount'),
    // A magic value by its operator's code, so that the amount stays what the reader has chosen.
    operator: wanted?.operatorCode ?? textOf(form, 'operator'),
    currencyCode: textOf(form, 'currency'),
    ...(id === '' ? {} : { id }),
    ...(callbackUrl === '' ? {} : { callbackUrl }),
  }
}
