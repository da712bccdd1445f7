// @ts-check
// What any signer in a process of its own costs on this machine: a line comes over a Unix socket, something is added
// to a file and brought to the disk, an RSA key signs, a line goes back. Decides nothing. Started by signer.mjs.
import { createPrivateKey, sign } from 'node:crypto'
import { fdatasyncSync, openSync, writeSync } from 'node:fs'
import { createServer } from 'node:net'
import { promisify } from 'node:util'

const [socket = '', log = ''] = process.argv.slice(2)
const key = createPrivateKey(String(process.env.GATEWAY_PRIVATE_KEY))
const signWith = promisify(sign)
const file = openSync(log, 'a')
// As long as a line of a signer's log.
const line = `${'x'.repeat(300)}\n`

createServer((connection) => {
  connection.once('data', async (question) => {
    const signature = signWith('RSA-SHA256', question, key)
    writeSync(file, line)
    fdatasyncSync(file)
    connection.end(`${(await signature).toString('base64')}\n`)
  })
}).listen(socket, () => console.log('listens'))
