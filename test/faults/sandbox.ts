import { createSandbox, type Sandbox, type SandboxOptions } from '../../packages/sandbox/src/index.js'
import { privatePem } from '../support/vectors.js'

/** A sandbox that listens, with its clock standing still and no limit of its own unless asked for. */
export async function listeningSandbox(options: SandboxOptions = {}): Promise<Sandbox & { url: string }> {
  const sandbox = createSandbox({
    merchantCode: 'M-0001',
    privateKey: privatePem,
    // One request for both kinds of payment.
    payinMethods: ['BANK_TRANSFER'],
    rateLimit: false,
    ...options,
  })
  const { url } = await sandbox.listen()
  return Object.assign(sandbox, { url })
}
