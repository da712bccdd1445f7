// @ts-check
// The sandbox as a server in a process of its own: says where it is, and on demand what it holds.
import { createSandbox } from 'merchant-gateway-sandbox'

const secret = 'a-secret-of-the-bench'
const sandbox = createSandbox({ rateLimit: false, merchantSecret: secret, settleAfterMs: 100 })
const server = await sandbox.listen()
const { merchantCode } = sandbox.clientOptions()
process.send?.({ port: server.port, merchantCode, secret })

let cpuBefore = process.cpuUsage()
process.on('message', () => {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage(cpuBefore)
  cpuBefore = process.cpuUsage()
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
  const held = { payments: sandbox.payins.size + sandbox.payouts.size, logged: sandbox.requests.length }
  process.send?.({ rss, heapUsed, cpuMs: (user + system) / 1000, sockets, ...held })
})
process.on('disconnect', () => process.exit())
