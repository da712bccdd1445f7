import { NumberField, numberOf, onSubmit, TextField, textOf } from '../parts/fields.js'
import { amount } from '../parts/format.js'
import { act, sandboxState } from '../server/sandbox-state.js'
import { setBalance } from '../server/server.js'

export function BalancesPanel() {
  const { balances = [] } = sandboxState.value ?? {}
  const submit = onSubmit((form) => {
    const currency = textOf(form, 'currency').toUpperCase()
    void act(() => setBalance(numberOf(form, 'amount'), currency), `The balance in ${currency} was set.`)
  })
  return (
    <>
      <h2>Balances</h2>
      <p class="fine">A payin that succeeds adds to its balance; a payout takes its amount and its fee.</p>
      <dl class="facts">
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
