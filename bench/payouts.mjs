// @ts-check
// Payouts by the hundred thousand, under SIGKILL and by volume. node bench/payouts.mjs [--only redis|postgres] [--part crash|volume]
import { parseArgs } from 'node:util'
import { crashProof } from '../test/engines/payouts/crash-proof.mjs'
import { volumeProof } from '../test/engines/payouts/volume-proof.mjs'

const { values } = parseArgs({ options: { only: { type: 'string' }, part: { type: 'string' } } })

for (const engine of /** @type {const} */ (['redis', 'postgres'])) {
  if (values.only !== undefined && values.only !== engine) continue
  if (values.part !== 'crash') console.log(await volumeProof({ engine, count: 100_000 }))
  if (values.part === 'volume') continue
  const figures = await crashProof({
    engine,
    count: 2_000,
    workers: 4,
    kills: 100,
    betweenKillsMs: 700,
    perWorker: 25,
    withinMs: 300_000,
  })
  console.log(figures)
  if (figures.wrong.length > 0) process.exitCode = 1
}
