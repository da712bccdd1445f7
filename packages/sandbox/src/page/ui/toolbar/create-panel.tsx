import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Info } from '../../api/controls/controls.js'
import type { Created } from '../../api/controls/page-create.js'
import type { CreateOrder } from '../../api/orders.js'
import { announce } from '../parts/announce.js'
import { Choice, NumberField, numberOf, onSubmit, TextField, textOf } from '../parts/fields.js'
import { open, wantsFocus } from '../route/route.js'
import { sandboxInfo } from '../server/sandbox-info.js'
import { sandboxState } from '../server/sandbox-state.js'
import { createPayment } from '../server/server.js'

type Magic = Info['magic'][number]

/** Creates one payment as a customer would. */
export function CreatePanel({ close }: { close: () => void }) {
  const made = useSignal<{ readonly order: CreateOrder; readonly created: Created } | null>(null)
  const problem = useSignal('')
  const { magic = [] } = sandboxInfo.value ?? {}
  const send = async (order: CreateOrder) => {
    problem.value = ''
    try {
      const created = await createPayment(order)
      made.value = { order: { ...order, id: created.id }, created }
      announce(created.message, !created.held)
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error)
    }
  }
  const submit = onSubmit((form) => void send(orderOf(form, magic)))
  return (
    <>
      <h2>Create a payment</h2>
      <p class="fine">
        By a signed request to this gateway, as your server sends it. The customer is made up.
      </p>
      <form class="toolbar-form" onSubmit={submit}>
        <PaymentFields />
        {magic.length > 0 && <Choice name="magic" label="What happens" choices={outcomesOf(magic)} />}
        <button type="submit">Create</button>
      </form>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {made.value !== null && <Result {...made.value} again={send} close={close} />}
    </>
  )
}

function PaymentFields() {
  const { balances = [], operators = [] } = sandboxState.value ?? {}
  const kinds = [
    ['payin', 'Payin: a customer pays'],
    ['payout', 'Payout: you pay somebody'],
  ] as const
  const currencies = balances.map(({ currencyCode }): [string, string] => [currencyCode, currencyCode])
  return (
    <>
      <Choice name="kind" label="Kind" choices={kinds} />
      <div class="toolbar-row">
        <NumberField name="amount" label="Amount" value="10.50" step="any" />
        <Choice name="currency" label="Currency" choices={currencies} value={euroFirst(currencies)} />
      </div>
      <Choice
        name="operator"
        label="Operator"
        choices={operators.map(({ code, name }): [string, string] => [code, name])}
      />
      <TextField name="id" label="Id" placeholder="made when empty" />
      <label>
        Callback URL
        <input type="url" name="callbackUrl" placeholder="none" />
      </label>
    </>
  )
}

/** What is to become of the payment, by what the sandbox's magic values say of themselves. */
function outcomesOf(magic: readonly Magic[]): [value: string, words: string][] {
  return [
    ['', 'It goes as the sandbox is set.'],
    ...magic.map(({ amount, meaning }): [string, string] => [String(amount), `${amount}: ${meaning}`]),
  ]
}

interface ResultProps {
  readonly order: CreateOrder
  readonly created: Created
  readonly again: (order: CreateOrder) => Promise<void>
  readonly close: () => void
}

function Result({ order, created, again, close }: ResultProps) {
  const { kind, id, held, message } = created
  const show = () => {
    wantsFocus.value = true
    open({ kind, id })
    close()
  }
  const shown = useRef<HTMLDivElement>(null)
  // It stands below a long form.
  useEffect(() => shown.current?.scrollIntoView({ block: 'nearest' }), [created])
  return (
    <div class="toolbar-result" data-tone={held ? 'good' : 'bad'} ref={shown}>
      <p>{message}</p>
      <p class="fine">
        {held ? `The sandbox holds the ${kind}` : `The sandbox holds no ${kind}`} <code>{id}</code>.
      </p>
      <div class="toolbar-row">
        {held && (
          <button type="button" onClick={show}>
            Open it
          </button>
        )}
        <button type="button" onClick={() => again(order)}>
          Send it again, same id
        </button>
      </div>
    </div>
  )
}

function orderOf(form: HTMLFormElement, known: readonly Magic[]): CreateOrder {
  const [id, url] = [textOf(form, 'id'), textOf(form, 'callbackUrl')]
  const wanted = known.find((one) => String(one.amount) === textOf(form, 'magic'))
  const amount = numberOf(form, 'amount')
  return {
    kind: textOf(form, 'kind') === 'payout' ? 'payout' : 'payin',
    // By the operator's code where there is one, so that the amount stays what the reader has chosen.
    amount: wanted !== undefined && wanted.operatorCode === null ? wanted.amount : amount,
    operator: wanted?.operatorCode ?? textOf(form, 'operator'),
    currencyCode: textOf(form, 'currency'),
    ...(id === '' ? {} : { id }),
    ...(url === '' ? {} : { callbackUrl: url }),
  }
}

function euroFirst(currencies: readonly (readonly [string, string])[]): string {
  return currencies.find(([code]) => code === 'EUR')?.[0] ?? currencies[0]?.[0] ?? 'EUR'
}
