// @ts-check
import { startGateway, WorkerProcess } from '../support/processes.mjs'
import { summary } from '../support/stats.mjs'

/** What a create costs the gateway once the first ones are done. @param {{ quick: boolean }} options */
async function steadyState({ quick }) {
  const { gateway, origin } = await startGateway()
  const client = new WorkerProcess('workers/calls.mjs', { args: ['client', origin] })
  const inTurn = { call: 'create', inFlight: 1, times: quick ? 100 : 1000 }
  const atOnce = { ...inTurn, inFlight: 64 }
  // A pool grows to as many connections as were ever busy at one moment; then it has them.
  for (let block = 0; block < 5; block++) await client.ask({ ...atOnce, times: 1000 })
  const perCreate = []
  for (const block of Array.from({ length: quick ? 2 : 10 }, (_, n) => (n % 2 === 0 ? inTurn : atOnce))) {
    const before = await gateway.ask()
    await client.ask(block)
    const after = await gateway.ask()
    perCreate.push({
      connections: (after.connections - before.connections) / (after.creates - before.creates),
      requests: (after.requests - before.requests) / (after.creates - before.creates),
    })
  }
  await client.end()
  await gateway.end()
  return perCreate
}

/** New connections for each create, as the server sees them. @param {{ quick: boolean }} options */
export async function measureConnections(options) {
  const seen = await steadyState(options)
  return [
    {
      what: 'new connections for each create',
      atMost: 0,
      always: true,
      ...summary(seen.map((s) => s.connections)),
    },
  ]
}

/** Requests for each create, tokens included, as the server sees them. @param {{ quick: boolean }} options */
export async function measureRequests(options) {
  const seen = await steadyState(options)
  return [
    { what: 'requests for each create', atMost: 1, always: true, ...summary(seen.map((s) => s.requests)) },
  ]
}
