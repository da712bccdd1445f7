// Loaded before a program (node --import): ends it with SIGKILL at the point number DIE_AT, and writes to DIE_REPORT
// which one that was. A point is before and after each file is written and gets its name, half-way through it, before
// something is sent over TCP, and before what has come is read. They are counted from when the program listens. Before
// something is sent is no point where nothing was stored or exchanged since something was read: to die there would
// leave what to die before that read leaves.
import fs from 'node:fs'
import { Server, Socket } from 'node:net'
import { Duplex } from 'node:stream'

const { writeFileSync, renameSync } = fs
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

fs.writeFileSync = (path, text, options) => {
  point('before an order is written')
  point('half of an order is written', () => writeFileSync(path, text.slice(0, text.length >> 1), options))
  writeFileSync(path, text, options)
  point('after an order is written')
}
fs.renameSync = (from, to) => {
  renameSync(from, to)
  point('after an order has its name')
}
const { listen } = Server.prototype
Server.prototype.listen = function (...args) {
  this.once('listening', () => {
    isListening = true
  })
  return listen.apply(this, args)
}

/** Whether what goes over it is a point. */
const isTcp = (socket) => socket.connecting || socket.remotePort !== undefined
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
