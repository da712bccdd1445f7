import { keyText, type PrivateKeyInput, privateKeySigner, type Signer } from '../auth/signer.js'
import { own } from '../input/own.js'
import { warnOfSecret } from './warnings.js'
import { wrongOption } from './wrong-option.js'

/** By what token requests are known to be the merchant's (specification, section 5). */
export type Credentials =
  | {
      readonly signer: Signer
      /** What was given with the key and nobody should read: its passphrase, and the key as it was encrypted. */
      readonly keySecrets: readonly string[]
    }
  | { readonly merchantSecret: string }

interface Given {
  readonly privateKey: PrivateKeyInput | undefined
  readonly privateKeyPassphrase: string | undefined
  readonly signer: Signer | undefined
  readonly merchantSecret: string | undefined
}

/** @throws {ConfigurationError} unless exactly one is given, and the key is one. */
export function readCredentials(given: Given): Credentials {
  const { privateKey, privateKeyPassphrase, signer, merchantSecret } = given
  const [first, second] = Object.entries({ privateKey, signer, merchantSecret })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
  if (second !== undefined) throw wrongOption(second, `and ${first} exclude each other; give one`)
  // Without a prototype: the field that is in it says which of the two it is.
  if (signer !== undefined) return own({ signer, keySecrets: [] })
  if (privateKey !== undefined) {
    const keySecrets =
      privateKeyPassphrase === undefined ? [] : [privateKeyPassphrase, ...keyText(privateKey)]
    return own({ signer: privateKeySigner(privateKey, privateKeyPassphrase), keySecrets })
  }
  if (merchantSecret === undefined) {
    throw wrongOption(
      'privateKey',
      'is missing; give privateKey or signer ("npx merchant-gateway keygen" makes a key)',
    )
  }
  warnOfSecret()
  return own({ merchantSecret })
}
