// @ts-check
// What a signer in a process of its own costs: each signature beside one in this process and one of a process that
// decides nothing (signer-floor.mjs), in turns, and payouts a second at a limit of ten.
// node bench/signer.mjs [--times 300], after npm run build.
import { spawn } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
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
const floorSocket = join(folder, 'floor.sock')
const command = fileURLToPath(new URL('../dist/cli/index.js', import.meta.url))
const floor = fileURLToPath(new URL('signer-floor.mjs', import.meta.url))
const processes = [
  started([command, 'signer', '--policy', policy, '--socket', socket]),
  started([floor, floorSocket, join(folder, 'floor.log')]),
]
try {
  for (const { stdout } of processes) await once(stdout, 'data')
  await measureSignatures(Number(values.times))
  await measurePayouts(60)
} finally {
  for (const child of processes) child.kill('SIGTERM')
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
}

/** @param {readonly string[]} args */
function started(args) {
  return spawn(process.execPath, args, {
    env: { GATEWAY_PRIVATE_KEY: String(pem) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** @param {number} times */
async function measureSignatures(times) {
  const key = createPrivateKey(pem)
  const signHere = promisify(sign)
  // Both over a connection that is kept, as policySigner keeps its own.
  const connection = connect(floorSocket)
  const signers = {
    here: { sign: (/** @type {Uint8Array} */ bytes) => signHere('RSA-SHA256', bytes, key) },
    floor: { sign: floorAt(connection) },
    signer: policySigner({ socket }),
  }
  /** @type {Record<keyof typeof signers, number[]>} */
  const took = { here: [], floor: [], signer: [] }
  const warmUp = 20
  await interleaved(
    times + warmUp,
    /** @type {const} */ (['here', 'floor', 'signer']),
    async (name, round) => {
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
    },
  )
  connection.destroy()
  const overHere = differences(took.signer, took.here)
  const overFloor = differences(took.signer, took.floor)
  const lists = { ...took, 'signer over here': overHere, 'signer over floor': overFloor }
  for (const [name, list] of Object.entries(lists)) {
    console.log(`${name}: median ${at(list, 0.5)} ms, 99 % ${at(list, 0.99)} ms`)
  }
}

/** @param {import('node:net').Socket} connection */
function floorAt(connection) {
  return async (/** @type {Uint8Array} */ bytes) => {
    connection.write(`${Buffer.from(bytes).toString('base64')}\n`)
    const [answer] = await once(connection, 'data')
    return Buffer.from(String(answer), 'base64')
  }
}

/** Of the same rounds. @param {readonly number[]} ours @param {readonly number[]} theirs */
function differences(ours, theirs) {
  return ours.map((ms, round) => ms - (theirs[round] ?? Number.NaN))
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
