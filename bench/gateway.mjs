// @ts-check
// The least that can answer as the gateway does, in a process of its own so that its CPU time is in no
// figure. Plain sockets: node:http takes more CPU for a response than the clients for the request, so
// that one could only measure how long they wait. Counts what arrives; the parent asks for the counts.
import { createServer } from 'node:net'
import { answers } from './payloads.mjs'

const counts = { connections: 0, requests: 0, creates: 0 }

const ready = (/** @type {string} */ body) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nkeep-alive: timeout=120\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const found = ready(answers.found)
const created = ready(answers.created)
const minted = ready(answers.token)

/** The response to a request that is there to its last byte. @param {string} request */
function answerTo(request) {
  counts.requests++
  if (request.startsWith('GET ')) return found
  if (!request.startsWith('POST /payins/')) return minted
  counts.creates++
  return created
}

/** @param {string} text */
function isWhole(text) {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? '0'
  return text.length >= headEnd + 4 + Number(length)
}

const server = createServer({ noDelay: true }, (socket) => {
  counts.connections++
  let text = ''
  // One request at a time on each connection: nobody here pipelines.
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    if (!isWhole(text)) return
    socket.write(answerTo(text), 'latin1')
    text = ''
  })
  socket.on('error', () => socket.destroy())
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.({ origin: `http://127.0.0.1:${address?.port}` })
})

process.on('message', () => process.send?.(counts))
process.on('disconnect', () => process.exit())
