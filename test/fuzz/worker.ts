import { channel } from 'node:diagnostics_channel'
import { parentPort, workerData } from 'node:worker_threads'
import { fuzz } from './fuzz.js'
import { readers } from './readers.js'

/** What is read now, for whoever watches from outside: the count, the reader, the length, the bytes. */
const { seed, ms, shared } = workerData as { seed: number; ms: number; shared: SharedArrayBuffer }
const head = new Int32Array(shared, 0, 3)
const body = new Uint8Array(shared, 12)

// Answers that drift are nothing new here, and whoever listens is not warned of them.
channel('merchant-gateway:drift').subscribe(() => {})
process.on('unhandledRejection', (error) => {
  parentPort?.postMessage({ unhandled: String(error) })
})
const counts = await fuzz(performance.now() + ms, seed, {
  begins(reader, bytes) {
    body.set(bytes)
    head[1] = readers.findIndex(({ name }) => name === reader)
    head[2] = bytes.length
    Atomics.add(head, 0, 1)
  },
  found: ({ reader, says, bytes }) => parentPort?.postMessage({ reader, says, bytes: new Uint8Array(bytes) }),
})
parentPort?.postMessage({ counts })
