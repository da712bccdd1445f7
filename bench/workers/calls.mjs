// @ts-check
// One contender in a process of its own: makes a block of calls whenever it is asked to, and says what
// the block cost. node bench/workers/calls.mjs CONTENDER ORIGIN
const [name = '', origin = ''] = process.argv.slice(2)
const { open } = await import(`../contenders/${name}.mjs`)
const calls = open(origin)

/** @param {{ call: 'create' | 'retrieve', times: number, inFlight: number }} block */
async function run({ call, times, inFlight }) {
  let left = times
  const caller = async () => {
    while (left-- > 0) await calls[call]()
  }
  const cpu = process.cpuUsage()
  const start = performance.now()
  await Promise.all(Array.from({ length: inFlight }, caller))
  const wallMs = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMicros: (user + system) / times, perSecond: (times / wallMs) * 1000, wallMs }
}

process.on('message', async (/** @type {Parameters<typeof run>[0]} */ block) => {
  process.send?.(await run(block))
})
process.on('disconnect', () => process.exit())
