// @ts-check
/** @typedef {import('./measure.mjs').Scenario} Scenario */

const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** What eight processes go through. @type {readonly Scenario[]} */
export const scenarios = [
  { name: 'steady' },
  { name: 'cold start', isCold: true },
  { name: 'one loop blocked 1 s in 2.5', role: (n) => (n === 0 ? { blockedMs: 1000 } : {}) },
  { name: 'one clock 30 s off', role: (n) => (n === 0 ? { wallOffMs: 30_000 } : {}) },
  {
    name: '429s',
    disturb: async ({ gateway, seconds }) => {
      for (let at = 3; at < seconds - 2; at += 10) {
        await wait(at === 3 ? 3000 : 10_000)
        gateway.send({ refuse: 1 })
      }
    },
  },
  {
    name: 'a process killed and replaced every 10 s',
    disturb: async ({ seconds, replace }) => {
      for (let n = 0; (n + 1) * 10 <= seconds; n++) {
        await wait(n === 0 ? 6000 : 10_000)
        await replace(n % 8)
      }
    },
  },
  {
    name: 'store killed, back after 3 s',
    disturb: async ({ engine, seconds }) => {
      await wait(seconds * 250)
      await engine.kill()
      await wait(3000)
      await engine.start()
    },
  },
  {
    name: 'store emptied',
    disturb: async ({ engine, seconds }) => {
      for (let n = 1; n <= 3; n++) {
        await wait(seconds * 220)
        await engine.flush()
      }
    },
  },
  {
    name: '8 in bulk, and a web create now and then',
    role: () => ({ priority: 'background' }),
    web: { priority: 'customer', everyMs: 400 },
  },
  ...[1, 3, 5, 8].map((rate) => ({
    name: `24 wait in bulk, and ${rate} even web creates a second`,
    role: () => /** @type {const} */ ({ priority: 'background' }),
    web: /** @type {const} */ ({ priority: 'customer', evenMs: 1000 / rate }),
  })),
  {
    name: '8 want everything, 1 in bulk',
    web: { priority: 'background', concurrency: 3 },
  },
]
