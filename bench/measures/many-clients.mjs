// @ts-check
import { answerOf, startGateway } from '../support/processes.mjs'
import { summary } from '../support/stats.mjs'

/** What each of many clients in one process costs: a platform with a client for each merchant. @param {{ quick: boolean }} options */
export async function measureManyClients({ quick }) {
  const clients = quick ? 1000 : 10_000
  const { gateway, origin } = await startGateway()
  const seen = []
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    const run = { args: [origin, String(clients)], execArgv: ['--expose-gc'] }
    seen.push(await answerOf('workers/many-clients.mjs', run))
  }
  await gateway.end()
  const each = `for each of ${clients.toLocaleString('en')} clients`
  return [
    { what: `heap ${each}`, unit: ' B', atMost: 6144, ...summary(seen.map(({ bytes }) => bytes)) },
    { what: `time to make, ${each}`, unit: ' ms', atMost: 0.05, ...summary(seen.map(({ ms }) => ms)) },
    {
      what: 'connections of 100 of them, one call each at a time',
      atMost: 2,
      ...summary(seen.map(({ connections }) => connections)),
    },
  ]
}
