// Loaded before a program (node --import): ends it with SIGKILL at the point number DIE_AT, and writes to DIE_REPORT
// which one that was. A point is before and after each write to the disk, half-way through it, before something is
// sent over TCP, and before what has come is read. They are counted from when the program listens. With DIE_AT_PORT,
// connections to that port are the only ones that count. Before something is sent is no point where nothing was stored
// or exchanged since something was read: to die there would leave what to die before that read leaves.
import { writeFileSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Server, Socket } from 'node:net'
import { Duplex } from 'node:stream'

const dieAt = Number(process.env.DIE_AT)
let passed = 0
let isListening = false
/** Whether something was stored or exchanged since the last read that was a point. */
let hasChanged = true

function point(name, last = () => {}) {
  if (!isListening) return
  if (name === 'before something is sent' && !hasChanged) return
  hasChanged = name !== 'before something is read'
  passed += 1
  if (passed !== dieAt) return
  last()
  writeFileSync(process.env.DIE_REPORT, name)
  process.kill(process.pid, 'SIGKILL')
}

const handle = await open('/dev/null')
const files = Object.getPrototypeOf(handle)
await handle.close()
const { write, datasync } = files
files.write = async function (bytes, offset, length, position) {
  point('before a line is written')
  point('half of a line is written', () => writeSync(this.fd, bytes, offset, length >> 1, position))
  const written = await write.call(this, bytes, offset, length, position)
  point('after a line is written')
  return written
}
files.datasync = async function () {
  await datasync.call(this)
  point('after a line is on the disk')
}

const { listen } = Server.prototype
Server.prototype.listen = function (...args) {
  this.once('listening', () => {
    isListening = true
  })
  return listen.apply(this, args)
}

const onlyPort = process.env.DIE_AT_PORT
/** Whether what goes over it is a point. */
const isTcp = (socket) => {
  if (!socket.connecting && socket.remotePort === undefined) return false
  if (onlyPort === undefined || String(socket.remotePort) === onlyPort) return true
  hasChanged = true
  return false
}
/** What is written in one piece of work leaves together. */
let isSending = false
Socket.prototype.write = function (...args) {
  if (isTcp(this) && !isSending) {
    isSending = true
    process.nextTick(() => {
      isSending = false
    })
    point('before something is sent')
  }
  return Duplex.prototype.write.apply(this, args)
}
Socket.prototype.push = function (...args) {
  if (isTcp(this) && args[0] !== null) point('before something is read')
  return Duplex.prototype.push.apply(this, args)
}
