// @ts-check
// Walks a payin and a payout from start to finish. Without GATEWAY_BASE_URL in the environment it starts the
// sandbox of the package as a server and talks to that; with it, to the gateway that the environment names.
import { parseArgs } from 'node:util'
import { isGatewayError } from 'merchant-gateway'
import { CallbackDesk } from './demo/callbacks.mjs'
import { openGateway } from './demo/gateway.mjs'
import { Meter } from './demo/meter.mjs'
import { Skipped, walk } from './demo/steps.mjs'
import { costText, counted, Transcript } from './demo/transcript.mjs'

const usage = `npm run demo -- [options]

  --amount 10.50                 how much is paid in and out
  --currency EUR
  --account-number NUMBER        the customer's account; made up for a gateway on this machine, and
                                 without it a gateway elsewhere is sent no payout
  --account-name NAME
  --payout-method BANK_TRANSFER
  --customer-account-path PATH   such as /payins/{idPayin}/customer-account
  --wait-secs 10                 how long to wait for a callback and for a final status`

const transcript = new Transcript(process.stdout)
const meter = new Meter()
// Whoever reads the transcript may have seen enough, as `| head` does.
process.stdout.on('error', () => process.exit())
const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort(new Error('Interrupted.')))

/** @param {string} title @param {() => Promise<string[]>} run */
async function step(title, run) {
  transcript.begin(title)
  const before = meter.reading()
  const cost = () => {
    const after = meter.reading()
    const requests = after.requests - before.requests
    return costText({ requests, forTokens: after.forTokens - before.forTokens, ms: after.atMs - before.atMs })
  }
  try {
    interrupted.signal.throwIfAborted()
    const lines = await run()
    transcript.done(cost())
    for (const line of lines) transcript.say(line)
  } catch (error) {
    if (error instanceof Skipped) {
      transcript.skipped(error.message)
      return
    }
    if (interrupted.signal.aborted) transcript.interrupted()
    else transcript.failed(cost())
    throw error
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      amount: { type: 'string', default: '10.50' },
      currency: { type: 'string', default: 'EUR' },
      'account-number': { type: 'string' },
      'account-name': { type: 'string' },
      'payout-method': { type: 'string', default: 'BANK_TRANSFER' },
      'customer-account-path': { type: 'string' },
      'wait-secs': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(usage)
    return
  }
  const { 'customer-account-path': customerAccountPath, 'wait-secs': wait } = values
  const waitSecs = wait === undefined ? undefined : Number(wait)
  if (waitSecs !== undefined && !(waitSecs > 0 && waitSecs <= 86_400)) {
    throw new Error('--wait-secs must be a number of seconds, at most a day.')
  }
  const startedAt = performance.now()
  const gateway = await openGateway({ customerAccountPath, waitSecs })
  const callbacks = new CallbackDesk()
  try {
    // A gateway elsewhere could not reach this machine.
    if (gateway.isLocal) await callbacks.open(gateway.client)
    meter.start(gateway.baseUrl)
    transcript.heading('merchant-gateway, from start to finish')
    transcript.say(`Gateway: ${gateway.description}.`)
    const choices = {
      amount: values.amount,
      currency: values.currency,
      accountName: values['account-name'],
      accountNumber: values['account-number'],
      payoutMethod: values['payout-method'],
    }
    const heading = transcript.heading.bind(transcript)
    await walk({ gateway, callbacks, choices, signal: interrupted.signal, heading, step })
  } finally {
    summary(performance.now() - startedAt)
    meter.stop()
    await callbacks.close()
    await gateway.close()
  }
}

/** @param {number} ms */
function summary(ms) {
  const { requests } = meter.reading()
  const total = `${counted(requests, 'request')} in ${(ms / 1000).toFixed(1)} s`
  transcript.heading('Requested in all')
  transcript.table(meter.routes())
  transcript.say(`${total}. The client sends at most 10 in a second; the times hold the waiting for that.`)
}

try {
  await main()
} catch (error) {
  if (interrupted.signal.aborted) {
    const left = isGatewayError(error) && error.outcome === 'unknown' ? ` ${error.message}` : ''
    console.error(`\nInterrupted, and everything is closed.${left}`)
    process.exitCode = 130
  } else {
    console.error(`\n${transcript.step > 0 ? `Step ${transcript.step} failed. ` : ''}${reason(error)}`)
    process.exitCode = 1
  }
}

/** What went wrong, in a sentence. @param {unknown} error */
function reason(error) {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const why = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : ''
  return isGatewayError(error) && error.code === 'connection'
    ? error.message.replace(';', `${why};`)
    : error.message
}
