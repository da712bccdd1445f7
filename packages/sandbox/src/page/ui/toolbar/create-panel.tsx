import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Info } from '../../api/actions/state.js'
import type { CreateBody } from '../../api/bodies.js'
import { span } from '../../api/text.js'
import { announce } from '../parts/announce.js'
import { Choice, Field, numberOf, onSubmit, textOf } from '../parts/fields.js'
import { linkToPayment } from '../route/route.js'
import { sandboxInfo, sandboxState } from '../server/live.js'
import { createPayment } from '../server/server.js'

type Outcome = readonly [operator: string, words: string]

/** By the operator code that asks for it. */
const forced: readonly Outcome[] = [
  ['SANDBOX_PENDING', 'I pay by hand'],
  ['SANDBOX_FAILED', 'It fails'],
  ['SANDBOX_EXPIRED', 'It expires'],
]

const kinds = [
  ['payin', 'Payin: a customer pays'],
  ['payout', 'Payout: you pay somebody'],
] as const

export function CreatePanel({ close }: { close: () => void }) {
  const failed = useSignal<{ readonly body: CreateBody; readonly message: string } | null>(null)
  const problem = useSignal('')
  const kind = useSignal('payin')
  const form = useRef<HTMLFormElement>(null)
  const info = sandboxInfo.value
  if (info === null) return null
  const send = async (body: CreateBody) => {
    problem.value = ''
    failed.value = null
    try {
      const created = await createPayment(body)
      announce(created.message, !created.held)
      if (created.held) {
        location.hash = linkToPayment(created)
        close()
        // All else that was typed stays: a second payment with this id would be the first.
        const id = form.current?.elements.namedItem('id')
        if (id instanceof HTMLInputElement) id.value = ''
      } else failed.value = { body: { ...body, id: created.id }, message: created.message }
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error)
    }
  }
  return (
    <>
      <h2>Create a payment</h2>
      <form
        class="toolbar-form"
        ref={form}
        onSubmit={onSubmit((fields, operator) => void send(bodyOf(fields, operator)))}
      >
        <Outcomes {...info} kind={kind.value} />
        <Choice name="kind" label="Kind" choices={kinds} onChange={(chosen) => (kind.value = chosen)} />
        <PaymentFields />
        <p class="fine">The page sends a signed request, as your server does. The customer is made up.</p>
      </form>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {failed.value !== null && (
        <div class="toolbar-result" data-tone="bad" role="alert">
          <p>{failed.value.message}</p>
          <p class="fine">
            The sandbox holds no {failed.value.body.kind} <code>{failed.value.body.id}</code>.
          </p>
          <button type="button" onClick={() => failed.value && send(failed.value.body)}>
            Send it again, same id
          </button>
        </div>
      )}
    </>
  )
}

/** Each choice creates the payment. */
function Outcomes({ kind, ...info }: Pick<Info, 'paysAfterMs' | 'magic'> & { readonly kind: string }) {
  const chosen = useSignal('')
  const { magic } = info
  const main = outcomesOf(kind, info)
  const others = magic.filter(({ operatorCode }) => !main.some(([code]) => code === operatorCode))
  return (
    <fieldset>
      <legend>What happens then?</legend>
      <div class="outcomes">
        {main.map(([operator, words]) => (
          <button key={operator} type="submit" value={operator}>
            {words}
          </button>
        ))}
      </div>
      {others.length > 0 && (
        <details>
          <summary>More</summary>
          <Choice
            name="magic"
            label="What else may happen"
            choices={others.map(({ amount, operatorCode, meaning }) => [
              operatorCode,
              `${amount}: ${meaning}`,
            ])}
            onChange={(code) => (chosen.value = code)}
          />
          <button type="submit" value={chosen.value || others[0]?.operatorCode}>
            Create
          </button>
        </details>
      )}
    </fieldset>
  )
}

/** Where payments are not paid by themselves, none fails or expires by itself either. */
function outcomesOf(
  kind: string,
  { paysAfterMs, magic }: Pick<Info, 'paysAfterMs' | 'magic'>,
): readonly Outcome[] {
  if (paysAfterMs === null) return [['', 'I pay by hand']]
  const who = kind === 'payin' ? 'Customer pays' : 'It is paid'
  const when = paysAfterMs === 1000 ? 'a second' : span(paysAfterMs)
  return [
    ['', `${who} after ${when}`],
    ...forced.filter(([code]) => magic.some((one) => one.operatorCode === code)),
  ]
}

function PaymentFields() {
  const { balances = [], operators = [] } = sandboxState.value ?? {}
  const currencies = balances.map(({ currencyCode }): [string, string] => [currencyCode, currencyCode])
  const euro = currencies.find(([code]) => code === 'EUR')?.[0] ?? currencies[0]?.[0] ?? 'EUR'
  return (
    <>
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

/** @param magic the operator code that asks for what happens, so that the amount stays what the reader has chosen */
function bodyOf(form: HTMLFormElement, magic: string): CreateBody {
  const [id, callbackUrl] = [textOf(form, 'id'), textOf(form, 'callbackUrl')]
  return {
    kind: textOf(form, 'kind') === 'payout' ? 'payout' : 'payin',
    amount: numberOf(form, 'amount'),
    operator: magic === '' ? textOf(form, 'operator') : magic,
    currencyCode: textOf(form, 'currency'),
    ...(id === '' ? {} : { id }),
    ...(callbackUrl === '' ? {} : { callbackUrl }),
  }
}
