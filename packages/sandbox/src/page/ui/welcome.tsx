import type { Info } from '../api/actions/state.js'
import { Code } from './parts/step-parts.js'
import { paymentList } from './payments/payment-list.js'
import { RefusedNotice } from './requests/refused-notice.js'
import { sandboxInfo } from './server/live.js'

/** Creates a payin in the sandbox that shows it. With the file of its key it runs as it is. */
function programFor({ baseUrl, merchantCode, timestampUnit, keyFile }: Info): string {
  const options = [
    `  baseUrl: ${JSON.stringify(baseUrl)},`,
    `  merchantCode: ${JSON.stringify(merchantCode)},`,
    ...(timestampUnit === 'milliseconds' ? ["  timestampUnit: 'milliseconds',"] : []),
    ...(keyFile === null ? [] : [`  privateKey: readFileSync(${JSON.stringify(keyFile)}, 'utf8'),`]),
    '  live: false,',
  ]
  return `${keyFile === null ? '' : "import { readFileSync } from 'node:fs'\n"}import { GatewayClient, money, statusOf } from 'merchant-gateway'

const client = ${keyFile === null ? 'GatewayClient.fromEnv' : 'new GatewayClient'}({
${options.join('\n')}
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
  const info = sandboxInfo.value
  return (
    <details class="card" open={isOpen}>
      <summary>How to create a payment by code</summary>
      <p>
        Save this as <code>payin.mjs</code> where <code>merchant-gateway</code> is installed, and run{' '}
        <code>node payin.mjs</code> there.{' '}
        {info.keyFile === null && (
          <>
            It reads the private key from the file that <code>GATEWAY_PRIVATE_KEY_FILE</code> names.
          </>
        )}
      </p>
      <Code label="payin.mjs" canCopy>
        {programFor(info)}
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
