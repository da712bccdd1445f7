import { generateKeyPairSync, sign } from 'node:crypto'
import type { Signer } from '../../../src/index.js'

// Short, since much is signed, and what is signed is nowhere kept.
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 512 })

/** Of the merchant. */
export { publicKey }

/** Signs at once: a thread would end when it likes, and no run would be as the one before. */
export const signer: Signer = {
  sign: (bytes) => Promise.resolve(sign('RSA-SHA256', bytes, privateKey)),
}
