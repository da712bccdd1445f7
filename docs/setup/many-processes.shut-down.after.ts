import { once } from 'node:events'
if (!server.listening) await once(server, 'listening')
process.removeListener('SIGTERM', shutDown)
await shutDown()
