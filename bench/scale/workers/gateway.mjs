// @ts-check
// The gateways of many merchants, in a process of its own over plain sockets: merchant 7's is at /m/7. A payment is
// PENDING until it is told otherwise: one whose id ends in a number below `settledBelow` is SUCCESS. A merchant among
// `hanging` is never answered, but for its tokens.
import { createServer } from 'node:net'
import { answers } from '../../payloads.mjs'

let settledBelow = 0
let delayMs = 0
/** @type {Set<number>} */
let hanging = new Set()
/** Creates and look-ups of each merchant. @type {Map<number, { creates: number, looks: number }>} */
const counts = new Map()

const ready = (/** @type {object} */ body) => {
  const text = JSON.stringify(body)
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nkeep-alive: timeout=120\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}
const minted = ready(JSON.parse(answers.token))
const found = JSON.parse(answers.found)
/** @param {'SUCCESS' | 'PENDING'} status @param {string} idPayin */
const payin = (status, idPayin) =>
  ready({
    ...found,
    process: { ...found.process, status },
    paymentMethodResponse: { ...found.paymentMethodResponse, idPayin },
  })
const money = { money: { amount: 1, currencyCode: 'EUR' } }
const payoutMethod = { paymentMethodCode: 'BANK_TRANSFER' }

/** @param {string} request @returns {string | undefined} */
function answerTo(request) {
  const [method, path = ''] = request.slice(0, request.indexOf('\r\n')).split(' ')
  const [, merchant, kind, id = ''] = /^\/m\/(\d+)\/([\w-]+)\/?([^/?]*)/.exec(path) ?? []
  if (kind === 'auth-tokens') return minted
  const number = Number(merchant)
  const count = counts.get(number) ?? { creates: 0, looks: 0 }
  counts.set(number, count)
  count[method === 'POST' ? 'creates' : 'looks']++
  if (hanging.has(number)) return undefined
  const status = Number(id.split('-').pop()) < settledBelow ? 'SUCCESS' : 'PENDING'
  if (kind === 'payins') return payin(status, id)
  const response = { idPayout: id, ...payoutMethod }
  return ready({
    paymentRequested: money,
    ...(method === 'POST'
      ? {}
      : { process: { status, createdAt: '2029-12-31T23:00:00.000Z', isTest: true } }),
    paymentMethodResponse: response,
  })
}

/** @param {string} text */
function isWhole(text) {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? '0'
  return text.length >= headEnd + 4 + Number(length)
}

const server = createServer({ noDelay: true }, (socket) => {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    if (!isWhole(text)) return
    const answer = answerTo(text)
    text = ''
    if (answer === undefined) return
    if (delayMs > 0) setTimeout(() => socket.write(answer, 'latin1'), delayMs)
    else socket.write(answer, 'latin1')
  })
  socket.on('error', () => socket.destroy())
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.({ origin: `http://127.0.0.1:${address?.port}` })
})

process.on(
  'message',
  (/** @type {{ settledBelow?: number, hanging?: number[], delayMs?: number }} */ told) => {
    if (told.settledBelow !== undefined) settledBelow = told.settledBelow
    if (told.hanging !== undefined) hanging = new Set(told.hanging)
    if (told.delayMs !== undefined) delayMs = told.delayMs
    const all = [...counts.values()]
    process.send?.({
      creates: all.reduce((sum, one) => sum + one.creates, 0),
      looks: all.reduce((sum, one) => sum + one.looks, 0),
      of: Object.fromEntries(counts),
      cpuMs: process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
    })
  },
)
process.on('disconnect', () => process.exit())
