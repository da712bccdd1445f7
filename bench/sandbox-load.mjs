// @ts-check
// What the sandbox's server bears: node bench/sandbox-load.mjs [--secs 60] [--rate 2000] [--connections 10000]
// Needs a build (npx tsup). Everything stays on loopback.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { Pool, request } from 'undici'
import { endAll, WorkerProcess } from './support/processes.mjs'

const { values } = parseArgs({
  options: {
    secs: { type: 'string', default: '60' },
    rate: { type: 'string', default: '2000' },
    connections: { type: 'string', default: '10000' },
  },
})
const secs = Number(values.secs)
const rate = Number(values.rate)
const connections = Number(values.connections)
const headers = { accept: 'application/json', 'x-api-version': '2' }
const money = { amount: 10, currencyCode: 'EUR' }
const account = { accountName: 'Bench', accountNumber: '1' }
const create = JSON.stringify({
  paymentRequested: { money },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account },
})

console.log(`Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} cores`)
try {
  const server = new WorkerProcess('workers/sandbox-server.mjs', { execArgv: ['--expose-gc'] })
  const { port, merchantCode, secret } = await server.answer()
  const origin = `http://127.0.0.1:${port}`
  const authorization = `Bearer ${await token(origin, merchantCode, secret)}`
  await load(server, origin, authorization)
  await siege(server, origin, port, authorization)
  await server.end()
} catch (error) {
  process.exitCode = 1
  console.error(error)
} finally {
  await endAll()
}

/** @param {WorkerProcess} server @param {string} origin @param {string} authorization */
async function load(server, origin, authorization) {
  console.log(`\n${rate} requests a second for ${secs} s, half creates, half look-ups, over 64 connections`)
  const pool = new Pool(origin, { connections: 64, pipelining: 1 })
  const tally = { sent: 0, ok: 0, failed: 0, waits: /** @type {number[]} */ ([]) }
  const start = performance.now()
  await server.ask()
  /** @type {Set<Promise<void>>} */
  const open = new Set()
  for (let second = 1; second <= secs; second++) {
    const end = start + second * 1000
    while (performance.now() < end) {
      const due = Math.min(second * rate, ((performance.now() - start) / 1000) * rate)
      for (; tally.sent < due; tally.sent++) {
        const call = one(pool, authorization, tally.sent, tally).finally(() => open.delete(call))
        open.add(call)
      }
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    if (second % 10 === 0) console.log(`  ${second} s: ${memory(await server.ask())}, in flight ${open.size}`)
  }
  await Promise.all(open)
  const took = (performance.now() - start) / 1000
  tally.waits.sort((a, b) => a - b)
  const at = (/** @type {number} */ share) =>
    (tally.waits[Math.floor(tally.waits.length * share)] ?? 0).toFixed(1)
  console.log(`  answered as expected ${tally.ok} of ${tally.sent}: ${(tally.ok / took).toFixed(0)} a second`)
  console.log(`  latency: median ${at(0.5)} ms, 99 % ${at(0.99)} ms, most ${at(0.99999)} ms`)
  await pool.close()
}

/** @param {Pool} pool @param {string} authorization @param {number} index @param {{ ok: number, failed: number, waits: number[] }} tally */
async function one(pool, authorization, index, tally) {
  const id = `bench-${index >> 1}`
  const start = performance.now()
  const isCreate = index % 2 === 0
  const path = `/payouts/${id}`
  try {
    const { statusCode, body } = isCreate
      ? await pool.request({ method: 'POST', path, headers: full(authorization), body: create })
      : await pool.request({ method: 'GET', path, headers: { ...headers, authorization } })
    await body.dump()
    // A look-up may overtake the create that was sent just before it.
    if (statusCode === 200 || (!isCreate && statusCode === 404)) tally.ok++
    else tally.failed++
  } catch {
    tally.failed++
  }
  tally.waits.push(performance.now() - start)
}

/** @param {WorkerProcess} server @param {string} origin @param {number} port @param {string} authorization */
async function siege(server, origin, port, authorization) {
  console.log(`\n${connections} hostile connections, while somebody asks over a new connection each time`)
  console.log(`  before: ${memory(await server.ask())}`)
  const hostile = new WorkerProcess('workers/hostile-client.mjs', {
    args: [String(port), String(connections)],
  })
  const opening = hostile.answer()
  let isOver = false
  const watched = watch(origin, authorization, () => isOver)
  await opening
  for (const pause of [2000, 5000, 10_000]) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    const { opened, refused, open } = await hostile.ask()
    console.log(
      `  ${memory(await server.ask())}; ${opened} were opened, ${refused} refused, ${open} are open`,
    )
  }
  isOver = true
  const { ok, asked, waits } = await watched
  waits.sort((a, b) => a - b)
  console.log(`  the other client was answered ${ok} of ${asked} times`)
  console.log(
    `  latency: median ${waits[waits.length >> 1]?.toFixed(1)} ms, most ${waits.at(-1)?.toFixed(1)} ms`,
  )
  await hostile.end()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  console.log(`  after: ${memory(await server.ask())}`)
}

/** Somebody with manners. @param {string} origin @param {string} authorization @param {() => boolean} isOver */
async function watch(origin, authorization, isOver) {
  const result = { ok: 0, asked: 0, waits: /** @type {number[]} */ ([]) }
  while (!isOver()) {
    const pool = new Pool(origin, { connections: 1 })
    const start = performance.now()
    result.asked++
    try {
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: '/balances',
        headers: { ...headers, authorization },
      })
      await body.dump()
      if (statusCode === 200) result.ok++
    } catch {}
    result.waits.push(performance.now() - start)
    await pool.destroy()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return result
}

/** @param {string} origin @param {string} merchantCode @param {string} secret */
async function token(origin, merchantCode, secret) {
  const body = JSON.stringify({
    merchantCode,
    secret,
    operations: ['GET /.*', 'POST /.*'],
    validitySecs: 86_400,
  })
  const answer = await request(`${origin}/auth-tokens`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  const json = /** @type {{ token: string }} */ (await answer.body.json())
  return json.token
}

/** @param {string} authorization */
function full(authorization) {
  return { ...headers, authorization, 'content-type': 'application/json' }
}

/** @param {{ rss: number, heapUsed: number, sockets: number, payments: number, logged: number, cpuMs: number }} held */
function memory({ rss, heapUsed, sockets, payments, logged, cpuMs }) {
  const mib = (/** @type {number} */ bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
  const things = `${sockets} sockets, ${payments} payments, ${logged} requests logged`
  return `heap ${mib(heapUsed)}, RSS ${mib(rss)}, CPU ${(cpuMs / 1000).toFixed(1)} s, ${things}`
}
