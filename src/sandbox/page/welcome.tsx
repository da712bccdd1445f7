import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Info } from '../control/messages.js'
import { Code } from './code.js'
import { FaultPanel } from './fault-panel.js'
import { totals } from './list-model.js'
import { info } from './server.js'

export const known = signal<Info | null>(null)

/** What is there while no payment is open: how to begin, and what can be asked for. */
export function Welcome() {
  useEffect(() => {
    if (known.peek() !== null) return
    void info().then(
      (answer) => {
        known.value = answer
      },
      () => undefined,
    )
  }, [])
  const isEmpty = totals.value?.held === 0
  return (
    <div class="welcome">
      <h2>{isEmpty ? 'Create the first payment' : 'Choose a payment'}</h2>
      <p class="lead">
        {isEmpty
          ? 'This gateway runs on your machine and holds no payment yet. Point the client at it, and what you create appears here by itself.'
          : 'Its whole story opens here: every request, token, status and callback. Arrow keys move in the list, Enter opens, / searches.'}
      </p>
      <HowTo />
      <FaultPanel />
      <MagicAmounts />
    </div>
  )
}

function HowTo() {
  const { merchantCode = '…', basePath = '' } = known.value ?? {}
  const code = `import { GatewayClient, money } from 'merchant-gateway'

const client = new GatewayClient({
  baseUrl: '${location.origin}${basePath}',
  merchantCode: '${merchantCode}',
  privateKey, // or all three: sandbox.clientOptions()
})
await client.payins.create({
  paymentRequested: { money: money('10.50', 'EUR') },
  paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
})`
  return (
    <details class="card" open={totals.value?.held === 0}>
      <summary>How to create a payment</summary>
      <Code label="In a program of yours">{code}</Code>
      <p>
        Without any code: <code>npm run demo:shop</code> starts a shop that pays through a sandbox like this.
      </p>
    </details>
  )
}

function MagicAmounts() {
  const { magic = [] } = known.value ?? {}
  if (magic.length === 0) return null
  return (
    <details class="card">
      <summary>Amounts that force an outcome</summary>
      <p>By the amount, or by the operator code for any amount.</p>
      <dl class="magic">
        {magic.map((one) => (
          <div key={one.amount}>
            <dt>{one.amount}</dt>
            <dd>
              {one.meaning} {one.operatorCode !== null && <code>{one.operatorCode}</code>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
