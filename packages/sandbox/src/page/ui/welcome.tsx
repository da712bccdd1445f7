import { Code } from './parts/code.js'
import { paymentList } from './payments/list-model.js'
import { RefusedNotice } from './requests/refused-notice.js'
import { sandboxInfo } from './server/sandbox-info.js'
import { programForThisSandbox } from './welcome-code.js'

/** What is there while no payment is open: how to begin, and what can be asked for. */
export function Welcome() {
  const isEmpty = paymentList.listing.value?.held === 0
  return (
    <div class="welcome">
      <h2>{isEmpty ? 'Create the first payment' : 'Choose a payment'}</h2>
      <p class="lead">
        {isEmpty
          ? 'This gateway runs on your machine and holds no payment yet. Point the client at it, and what you create appears here by itself.'
          : 'Its whole history opens here: every request, token, status and callback. Arrow keys move in the list, Enter opens, / searches.'}
      </p>
      {isEmpty && <RefusedNotice />}
      <HowTo />
      <MagicAmounts />
    </div>
  )
}

function HowTo() {
  if (sandboxInfo.value === null) return null
  const { merchantCode, basePath } = sandboxInfo.value
  return (
    <details class="card" open={paymentList.listing.value?.held === 0}>
      <summary>How to create a payment</summary>
      <p>
        When <code>npx merchant-gateway-sandbox</code> has started this gateway: copy the lines that begin
        with <code>export</code> from its terminal into another one, save this as <code>payin.mjs</code>, and
        run <code>node payin.mjs</code> there.
      </p>
      <Code label="payin.mjs">{programForThisSandbox(location.origin + basePath, merchantCode)}</Code>
    </details>
  )
}

function MagicAmounts() {
  const { magic = [] } = sandboxInfo.value ?? {}
  if (magic.length === 0) return null
  return (
    <details class="card" open={(paymentList.listing.value?.held ?? 0) > 0}>
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
