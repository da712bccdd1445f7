import { once } from 'node:events'
import { ConfigurationError, privateKeyFromEnv } from 'merchant-gateway'
import { createSigner } from '../create-signer.js'
import { listen } from '../server.js'
import { visible } from '../text.js'
import { policyIn } from './policy-file.js'

/** The options of the command line. */
type Options = Readonly<{ policy: string; socket: string; group?: true; log?: string }>

/** Signs until the process is ended. */
export async function serve({ policy: file, socket, group, log = logBeside(file) }: Options): Promise<void> {
  const policy = policyIn(file)
  const key = privateKeyFromEnv()
  if (key === undefined)
    throw new ConfigurationError('a signer needs the private key: set GATEWAY_PRIVATE_KEY_FILE.')
  const signer = await createSigner(policy, { key, log })
  try {
    const ended = Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)))
    const server = await listen(signer, { socket, mode: group === true ? 0o660 : 0o600 })
    const { lines, hash } = signer.head
    process.stdout.write(`${visible(`signs at ${socket} by ${file}`)}\n`)
    process.stdout.write(`${visible(`log: ${log}, line ${lines}, whose hash is ${hash}`)}\n`)
    if (lines === 1) {
      const note = 'the log is new: payouts that were signed for before do not count'
      process.stderr.write(`${note}. If there were any, stop this signer.\n`)
    }
    await ended
    await server.close()
  } finally {
    signer.close()
  }
}

function logBeside(policy: string): string {
  return `${policy.replace(/\.json$/, '')}.log`
}
