import { Code } from './parts/step-parts.js'
import { paymentList } from './payments/payment-list.js'
import { RefusedNotice } from './requests/refused-notice.js'
import { sandboxInfo } from './server/live.js'

/** Creates a payin in the sandbox that shows it. Runs as it is where the sandbox's variables are set. */
function programForThisSandbox(baseUrl: string, merchantCode: string): string {
  return `import { GatewayClient, money, statusOf } from 'merchant-gateway'

const client = GatewayClient.fromEnv({
  baseUrl: ${JSON.stringify(baseUrl)},
  merchantCode: ${JSON.stringify(merchantCode)},
})
const { idPayin } = await client.payins.create({
  paymentRequested: { money: money('10.50', 'EUR') },
  paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
})
console.log('Accepted:', idPayin)
// Until the sandbox pays it, or you do on this page.
const payin = await client.payins.waitFor(idPayin, { maxWaitMs: 60_000 })
console.log('It is', statusOf(payin))
await client.close()
`
}

const texts = {
  empty:
    'This gateway runs on your machine and holds no payment yet. What you create appears here by itself.',
  filled:
    'Its whole history opens here: every request, status and callback. Arrow keys move in the list, Enter opens, / searches.',
} as const

export function Welcome() {
  const isEmpty = paymentList.listing.value?.held === 0
  return (
    <div class="welcome">
      <h2>{isEmpty ? 'Create the first payment' : 'Choose a payment'}</h2>
      <p class="lead">{isEmpty ? texts.empty : texts.filled}</p>
      {isEmpty && (
        <button type="button" class="primary" popovertarget="toolbar-create">
          Create a test payin
        </button>
      )}
      {isEmpty && <RefusedNotice />}
      <HowTo isOpen={isEmpty} />
      <Rehearse />
    </div>
  )
}

function HowTo({ isOpen }: { isOpen: boolean }) {
  if (sandboxInfo.value === null) return null
  const { merchantCode, baseUrl } = sandboxInfo.value
  return (
    <details class="card" open={isOpen}>
      <summary>How to create a payment by code</summary>
      <p>
        Save this as <code>payin.mjs</code> where <code>merchant-gateway</code> is installed, and run{' '}
        <code>node --env-file=.env payin.mjs</code> there.{' '}
        <code>npx merchant-gateway-sandbox --write-env .env</code> writes that file; without it, copy the
        lines that begin with <code>export</code> from its terminal.
      </p>
      <Code label="payin.mjs" canCopy>
        {programForThisSandbox(baseUrl, merchantCode)}
      </Code>
    </details>
  )
}

/** A page starts no programs: the command does. */
function Rehearse() {
  return (
    <details class="card">
      <summary>Rehearse your application</summary>
      <p>
        This command plays lost responses, timeouts, duplicates and crashes against your application, and
        counts what the gateway holds: one payment and not two. It asks for what it needs.
      </p>
      <Code label="In a terminal" canCopy>
        npx merchant-gateway-sandbox rehearse
      </Code>
    </details>
  )
}
