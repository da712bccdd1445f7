// @ts-check
// Opens as many connections as it is told, each in one of these ways, and says how many it holds.
import { connect } from 'node:net'

const [port = '', count = ''] = process.argv.slice(2)
const head = 'POST /auth-tokens HTTP/1.1\r\nhost: x\r\naccept: application/json\r\nx-api-version: 2\r\n'
const json = 'content-type: application/json\r\n'
const ways = [
  { name: 'says nothing', first: '' },
  { name: 'sends headers a byte at a time', first: head, slowly: 'x-slow: ', every: 'y' },
  { name: 'announces a megabyte and stops', first: `${head}${json}content-length: 1048576\r\n\r\n{"` },
  {
    name: 'sends half a megabyte and stops',
    first: `${head}${json}content-length: 1048576\r\n\r\n${' '.repeat(512 * 1024)}`,
    // Half a megabyte from every connection would be a test of this machine's loopback.
    one: 20,
  },
  { name: 'sends bad JSON', first: `${head}${json}content-length: 1\r\n\r\n{`, slowly: '', every: '' },
  { name: 'sends no HTTP', first: 'GIMME\r\n\r\n' },
]

const counts = { opened: 0, open: 0, refused: 0 }
/** @type {Set<import('node:net').Socket>} */
const dripping = new Set()

for (let index = 0; index < Number(count); index++) {
  open(index)
  // In steps, because the backlog of a listening socket is some hundreds.
  if (index % 200 === 199) await new Promise((resolve) => setTimeout(resolve, 20))
}
setInterval(() => {
  for (const socket of dripping) if (socket.writable) socket.write('y')
}, 500)
process.send?.(counts)
process.on('message', () => process.send?.(counts))
process.on('disconnect', () => process.exit())

/** @param {number} index */
function open(index) {
  const { first, one = 1, slowly } = ways[index % ways.length] ?? { first: '' }
  const text = Math.floor(index / ways.length) % one === 0 ? first : ''
  const socket = connect(Number(port), '127.0.0.1', () => {
    counts.opened++
    counts.open++
    socket.once('close', () => {
      counts.open--
      dripping.delete(socket)
    })
    if (text !== '') socket.write(text)
    if (slowly !== undefined && slowly !== '') {
      socket.write(slowly)
      dripping.add(socket)
    }
  })
  socket.on('error', () => {
    if (socket.connecting || socket.pending) counts.refused++
  })
  socket.resume()
}
