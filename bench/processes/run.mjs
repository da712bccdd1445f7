// @ts-check
// Eight processes, one budget, over each store: how many requests the gateway sees in any second, at what rate, how
// fairly shared, and at what cost. `node bench/processes/run.mjs`; with `-- --seconds 10 --store redis --only steady`
// for less of it. It starts a Redis and a PostgreSQL of its own.
import { parseArgs } from 'node:util'
import { endAll } from '../support/processes.mjs'
import { measure } from './measure.mjs'
import { scenarios } from './scenarios.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    store: { type: 'string', multiple: true, default: ['redis', 'postgres'] },
    only: { type: 'string', default: '' },
  },
})
const seconds = Number(values.seconds)

console.log(`8 processes, ${seconds} s each, a network of 0 to 80 ms.\n`)
console.log(
  '| store | what happens | most in 1000 ms | requests | a second | least share | store calls a permit | web wait p99 |',
)
console.log('|---|---|---|---|---|---|---|---|')
try {
  for (const store of values.store) {
    if (store !== 'redis' && store !== 'node-redis' && store !== 'postgres')
      throw new Error(`no store ${store}`)
    for (const scenario of scenarios.filter(({ name }) => name.includes(values.only))) {
      const one = await measure(scenario, { store, seconds })
      const cells = [
        store,
        scenario.name,
        one.tooMany > 0 ? `${one.mostInOneSecond} (${one.tooMany} too many)` : one.mostInOneSecond,
        one.refused > 0 ? `${one.arrivals} (${one.refused} refused)` : one.arrivals,
        one.perSecond.toFixed(2),
        one.leastShare.toFixed(2),
        one.callsPerPermit.toFixed(2),
        one.webWaitP99 === undefined ? '' : `${Math.round(one.webWaitP99)} ms (${one.webWaits} waits)`,
      ]
      console.log(`| ${cells.join(' | ')} |`)
      for (const failure of new Set(one.failures)) console.error(`  ${failure}`)
    }
  }
} finally {
  await endAll()
}
