// @ts-check
// What a signer in a process of its own costs: each signature beside one in this process, in turns, and payouts a
// second at a limit of ten. node bench/signer.mjs [--times 300], after npm run build.
import { spawn } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { GatewayClient } from 'merchant-gateway'
import { policySigner } from 'merchant-gateway/signer'
import { createSandbox } from 'merchant-gateway-sandbox'
import { interleaved } from './support/stats.mjs'

const { values } = parseArgs({ options: { times: { type: 'string', default: '300' } } })
const folder = mkdtempSync(join(tmpdir(), 'bench-signer-'))
const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
})
const sandbox = createSandbox({ privateKey: pem, settleAfterMs: 0, replay: 'allow' })
const { privateKey: _, ...account } = sandbox.clientOptions()
const { merchantCode } = account
const most = { mostInOne: '1000', mostInHour: '1000000', mostInDay: '1000000', countInHour: 100_000 }
const policy = join(folder, 'policy.json')
writeFileSync(
  policy,
  JSON.stringify({ policyVersion: 1, merchantCode, payins: false, payouts: { EUR: most } }),
)
const socket = join(folder, 'signer.sock')
const command = fileURLToPath(new URL('../dist/cli/index.js', import.meta.url))
const child = spawn(process.execPath, [command, 'signer', '--policy', policy, '--socket', socket], {
  env: { GATEWAY_PRIVATE_KEY: String(pem) },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  await new Promise((resolve) => child.stdout.once('data', resolve))
  await measureSignatures(Number(values.times))
  await measurePayouts(60)
} finally {
  child.kill('SIGTERM')
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
}

/** @param {number} times */
async function measureSignatures(times) {
  const key = createPrivateKey(pem)
  const signHere = promisify(sign)
  const signers = {
    here: { sign: (/** @type {Uint8Array} */ bytes) => signHere('RSA-SHA256', bytes, key) },
    there: policySigner({ socket }),
  }
  /** @type {Record<'here' | 'there', number[]>} */
  const took = { here: [], there: [] }
  const warmUp = 20
  await interleaved(times + warmUp, /** @type {const} */ (['here', 'there']), async (name, round) => {
    const money = { amount: 1, currencyCode: 'EUR' }
    const timestamp = Math.floor(Date.now() / 1000)
    const request = {
      merchantCode,
      validitySecs: 900,
      operations: [`POST /payouts/b-${round}`],
      money,
      timestamp,
    }
    const bytes = Buffer.from(JSON.stringify(request))
    const begin = performance.now()
    await signers[name].sign(bytes)
    if (round >= warmUp) took[name].push(performance.now() - begin)
    // Below the twenty a second that a signer answers.
    await wait(30)
  })
  const added = took.there.map((ms, round) => ms - (took.here[round] ?? Number.NaN))
  for (const [name, list] of Object.entries({ ...took, added })) {
    console.log(`${name}: median ${at(list, 0.5)} ms, 99 % ${at(list, 0.99)} ms`)
  }
}

/** @param {readonly number[]} list @param {number} share */
function at(list, share) {
  const sorted = [...list].sort((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(2)
}

/** @param {number} count */
async function measurePayouts(count) {
  const client = new GatewayClient({ ...account, signer: policySigner({ socket }) })
  const begin = performance.now()
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      client.payouts.create({
        idPayout: `p-${n}`,
        paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
        paymentMethod: {
          paymentMethodCode: 'BANK_TRANSFER',
          account: { accountName: 'Alex Sample', accountNumber: '9900112233' },
        },
      }),
    ),
  )
  const secs = (performance.now() - begin) / 1000
  await client.close()
  console.log(`${count} payouts in ${secs.toFixed(1)} s: ${(count / secs).toFixed(1)} a second`)
}
