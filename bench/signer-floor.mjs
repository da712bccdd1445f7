// @ts-check
// What any signer in a process of its own costs on this machine: a line comes over a kept connection of a Unix socket,
// something is added to a file, an RSA key signs while the disk takes it, a line goes back. Decides nothing. Started by
// signer.mjs.
import { createPrivateKey, sign } from 'node:crypto'
import { writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'

const [socket = '', log = ''] = process.argv.slice(2)
const key = createPrivateKey(String(process.env.GATEWAY_PRIVATE_KEY))
const file = await open(log, 'a')
// As long as a line of a signer's log.
const line = `${'x'.repeat(300)}\n`

createServer((connection) => {
  connection.on('data', async (question) => {
    writeSync(file.fd, line)
    const onDisk = file.datasync()
    const signature = sign('RSA-SHA256', question, key)
    await onDisk
    connection.write(`${signature.toString('base64')}\n`)
  })
}).listen(socket, () => console.log('listens'))
