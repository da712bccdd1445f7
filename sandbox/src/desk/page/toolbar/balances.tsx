import { NumberField, numberOf, TextField, textOf } from '../parts/fields.js'
import { amount } from '../parts/format.js'
import { setBalance } from '../server/controls-server.js'
import { act, sandboxState } from '../server/sandbox-state.js'

export function BalancesPanel() {
  const { balances = [] } = sandboxState.value ?? {}
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!(form instanceof HTMLFormElement)) return
    const currency = textOf(form, 'currency').toUpperCase()
    void act(() => setBalance(numberOf(form, 'amount'), currency), `The balance in ${currency} was set.`)
  }
  return (
    <>
      <h2>Balances</h2>
      <p class="fine">A payin that succeeds adds to its balance; a payout takes its amount and its fee.</p>
      <dl class="toolbar-balances">
        {balances.map((balance) => (
          <div key={balance.currencyCode}>
            <dt>{balance.currencyCode}</dt>
            <dd>{amount(balance.amount, balance.currencyCode)}</dd>
          </div>
        ))}
      </dl>
      <form class="toolbar-row" onSubmit={submit}>
        <TextField name="currency" label="Currency" value={balances[0]?.currencyCode ?? 'EUR'} isRequired />
        <NumberField name="amount" label="Amount" value={0} step="any" />
        <button type="submit">Set</button>
      </form>
    </>
  )
}
