// @ts-check
// Payouts under SIGKILL: worker processes are killed and started again, the gateway answers a fifth of the requests
// faultily, and every line must have been paid once, with its own money and account.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { GatewayClient } from '../../../dist/index.js'
import { createSandbox } from '../../../packages/sandbox/dist/index.js'
import { payoutOf, payouts } from './payouts.mjs'
import { ownQueue } from './store.mjs'

const workerFile = fileURLToPath(new URL('worker.mjs', import.meta.url))
const create = 'POST /payouts/{idPayout}'

/** Lost before, lost after, answered by something else twice, and cut short. @type {[import('../../../packages/sandbox/dist/index.js').FaultAction, ...import('../../../packages/sandbox/dist/index.js').FaultAction[]]} */
const actions = [
  { kind: 'drop-before' },
  { kind: 'drop-after' },
  { kind: 'status', status: 503, processed: true },
  { kind: 'html', status: 502 },
  { kind: 'cut-body' },
]

/**
 * @typedef {object} CrashRun
 * @property {'redis' | 'postgres'} engine
 * @property {number} count How many payouts.
 * @property {number} workers
 * @property {number} kills
 * @property {number} betweenKillsMs
 * @property {number} perWorker Requests a second of each worker.
 * @property {number} withinMs
 * @property {import('../../../dist/bullmq/index.js').PaymentWorkerOptions<'payout'> | {}} [options]
 */

/** @param {CrashRun} run */
export async function crashProof({
  engine,
  count,
  workers,
  kills,
  betweenKillsMs,
  perWorker,
  withinMs,
  options = {},
}) {
  const began = performance.now()
  const sandbox = createSandbox({
    rateLimit: false,
    settleAfterMs: 200,
    magicAmounts: [],
    maxLogged: 200_000,
  })
  const { url } = await sandbox.listen({ port: 0 })
  const { merchantCode, privateKey } = sandbox.clientOptions()
  // A fifth of the requests of every payout, of five kinds in turn: a request meets the first fault that is armed for it.
  const faults = [...payouts(count)].map(({ idPayout: id }, index) => {
    const action = actions[index % actions.length] ?? actions[0]
    return sandbox.fault({ route: '*', id, action, probability: 0.2, times: Number.POSITIVE_INFINITY })
  })
  const store = await ownQueue(engine, new GatewayClient({ baseUrl: url, merchantCode, privateKey }))
  const { queue } = store
  await queue.addAll(payouts(count))

  const env = {
    ...process.env,
    GATEWAY_BASE_URL: url,
    GATEWAY_MERCHANT_CODE: merchantCode,
    GATEWAY_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
  const given = JSON.stringify({
    rateLimit: perWorker,
    options: { ...store.options, job: { firstPollMs: 300, longestPollMs: 1_000 }, ...options },
  })
  const start = () => fork(workerFile, [given], { env, stdio: 'ignore' })
  const running = Array.from({ length: workers }, start)

  let killed = 0
  const over = async () => {
    const { total, done, stopped } = await queue.progress()
    return done + stopped === total
  }
  try {
    while (performance.now() - began < withinMs) {
      const isOver = await over()
      if (isOver && killed >= kills) break
      if (isOver)
        throw new Error(`all was over after ${killed} kills of ${kills}: too few payouts, or too fast`)
      await new Promise((resolve) => setTimeout(resolve, betweenKillsMs * (0.5 + Math.random())))
      if (killed >= kills) continue
      const index = Math.floor(Math.random() * workers)
      running[index]?.kill('SIGKILL')
      running[index] = start()
      killed++
    }
  } finally {
    for (const worker of running) worker.kill('SIGKILL')
  }

  const lines = []
  for await (const line of queue.report()) lines.push(line)
  const creates = sandbox.requests.filter(({ route, idPayout }) => route === create && idPayout !== undefined)
  const wrong = []
  for (let line = 1; line <= count; line++) {
    const asked = payoutOf(line)
    const paid = sandbox.payouts.find(asked.idPayout)
    const reported = lines.filter(({ idPayout }) => idPayout === asked.idPayout)
    const [one] = reported
    if (paid === undefined) wrong.push(`${asked.idPayout}: missing`)
    else if (paid.money.amount !== asked.paymentRequested.money.amount)
      wrong.push(`${asked.idPayout}: other money`)
    if (reported.length !== 1) wrong.push(`${asked.idPayout}: ${reported.length} lines in the report`)
    else if (
      one?.state !== 'done' ||
      one.status !== paid?.status ||
      one.money?.amount !== paid?.money.amount
    ) {
      wrong.push(
        `${asked.idPayout}: the report says ${one?.state} ${one?.status}, the gateway ${paid?.status}`,
      )
    }
  }
  for (const { idPayout = '', bodyText } of creates) {
    const { account } = payoutOf(Number(idPayout.slice(5))).paymentMethod
    if (!bodyText.includes(`"${account.accountNumber}"`)) wrong.push(`${idPayout}: sent with another account`)
  }
  const figures = {
    engine,
    payouts: count,
    accepted: sandbox.payouts.size,
    inReport: lines.length,
    kills: killed,
    requests: sandbox.requests.filter(({ idPayout }) => idPayout !== undefined).length,
    faulty: faults.reduce((sum, { hits }) => sum + hits, 0),
    createsSent: creates.length,
    lostRuns: lines.filter(({ starts }) => starts > 3).length,
    seconds: Math.round((performance.now() - began) / 1000),
    wrong,
  }
  await sandbox.close()
  await store.close()
  return figures
}
