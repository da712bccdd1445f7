import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createSandbox } from '../../../packages/sandbox/src/index.js'
import { GatewayClient } from '../../../src/index.js'
import { describeWith } from '../../support/engines.js'
import { crashProof } from './crash-proof.mjs'
import { payoutOf } from './payouts.mjs'
import { ownQueue } from './store.mjs'
import { volumeProof } from './volume-proof.mjs'

const workerFile = fileURLToPath(new URL('worker.mjs', import.meta.url))

/** The whole of it, 2,000 payouts under 100 kills and 100,000 lines, is `node bench/payouts.mjs`. */
export function testPayouts(engine: 'redis' | 'postgres'): void {
  describeWith(engine, `payouts in processes, by ${engine}`, () => {
    test('each line is paid once and reported as it is, whatever is killed and answered faultily', async () => {
      const run = {
        engine,
        count: 150,
        workers: 3,
        kills: 10,
        betweenKillsMs: 700,
        perWorker: 15,
        withinMs: 100_000,
      }
      const figures = await crashProof({ ...run, options: { lockMs: 1_000, checkLocksMs: 300 } })
      expect(figures).toMatchObject({ accepted: 150, inReport: 150, wrong: [] })
      expect(figures.kills).toBeGreaterThanOrEqual(10)
    })

    test("a killed worker's payout is taken over within 20 seconds, by what is the default", async () => {
      const sandbox = createSandbox({ rateLimit: false, settleAfterMs: 0 })
      const { url } = await sandbox.listen({ port: 0 })
      const { merchantCode, privateKey } = sandbox.clientOptions()
      // The first request is processed and never answered: its worker is killed over it.
      sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'timeout', processed: true } })
      const store = await ownQueue(engine, new GatewayClient({ baseUrl: url, merchantCode, privateKey }))
      const env = {
        ...process.env,
        GATEWAY_BASE_URL: url,
        GATEWAY_MERCHANT_CODE: merchantCode,
        GATEWAY_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      }
      const options = { ...store.options, job: { firstPollMs: 100 } }
      const start = () =>
        fork(workerFile, [JSON.stringify({ rateLimit: 10, options })], { env, stdio: 'ignore' })
      const first = start()
      await store.queue.add(payoutOf(1))
      while (sandbox.payouts.size === 0) await new Promise((resolve) => setTimeout(resolve, 10))
      first.kill('SIGKILL')
      const second = start()
      const killedAt = performance.now()
      const creates = () => sandbox.requests.filter(({ method, idPayout }) => method === 'POST' && idPayout)
      while (creates().length < 2) {
        if (performance.now() - killedAt > 20_000) throw new Error('nobody took it over within 20 s')
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      while ((await store.queue.progress()).done < 1) await new Promise((resolve) => setTimeout(resolve, 10))
      expect(sandbox.payouts.size).toBe(1)
      second.kill('SIGKILL')
      await sandbox.close()
      await store.close()
    }, 120_000)

    test('ten thousand lines are added once, and a callback is followed by a look before those that wait', async () => {
      const { first, again, total, lookMs, waitingWhenWoken } = await volumeProof({
        engine,
        count: 10_000,
        wakes: 5,
      })
      expect(first.added).toEqual({ given: 10_000, added: 10_000, differing: [] })
      expect(again.added).toEqual({ given: 10_000, added: 0, differing: [] })
      expect(total).toBe(10_005)
      expect(waitingWhenWoken).toBeGreaterThan(9_800)
      // Ten seconds is when it gives up; a look in its turn would come after sixteen minutes.
      expect(Math.max(...lookMs)).toBeLessThan(10_000)
    })
  })
}
