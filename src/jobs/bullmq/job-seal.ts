import { jsonOf } from '../../client/input/json.js'
import { isObject } from '../../client/input/own.js'
import type { PaymentKind } from '../../index.js'
import { type EncryptionKey, encryptionKeys, Sealer } from '../../stores/seal.js'
import { type PaymentData, type PaymentResult, readData, readResult } from './job-data.js'
import type { PaymentAccount } from './types.js'
import { wrongOption } from './wrong-option.js'

/** What is stored of a payment. All that is believed of it is in the seal. */
export interface SealedData {
  readonly v: 2
  readonly sealed: string
}

/** Seals what is stored with a job, and opens it: nothing that was sealed elsewhere or changed since opens. */
export interface JobSeal<K extends PaymentKind> {
  seal(jobId: string, data: PaymentData<K>): SealedData
  open(jobId: string, stored: unknown): PaymentData<K> | undefined
  sealResult(jobId: string, result: PaymentResult): string
  openResult(jobId: string, stored: unknown): PaymentResult | undefined
}

const purpose = 'payment queue'

/**
 * The seal of one queue of one merchant at one gateway. A key that the client can derive opens besides those of the
 * option, so that a queue can go over to keys of its own while payments wait in it.
 *
 * @throws {ConfigurationError} without a client, and where there is no key.
 */
export function jobSeal<K extends PaymentKind>(
  client: PaymentAccount,
  kind: K,
  { name, encryptionKeys: own = [] }: { name: string; encryptionKeys?: readonly EncryptionKey[] | undefined },
): JobSeal<K> {
  const { account } = client
  const derived = client.deriveKey(purpose)
  const keys = [...encryptionKeys(own), ...(derived === undefined ? [] : [derived])]
  if (keys.length === 0) {
    throw wrongOption(
      'encryptionKeys',
      'is missing: the signing key is not in this process, so no key can be derived from it; give the same keys of 32 random bytes to queue and workers ("openssl rand -base64 32" makes one)',
    )
  }
  const sealer = new Sealer(keys)
  const place = (what: 'data' | 'result', jobId: string) => JSON.stringify([account, kind, name, what, jobId])
  const opened = (what: 'data' | 'result', jobId: string, sealed: unknown) =>
    typeof sealed === 'string' ? jsonOf(sealer.open(sealed, place(what, jobId)) ?? '') : undefined
  return {
    seal: (jobId, data) => ({ v: 2, sealed: sealer.seal(JSON.stringify(data), place('data', jobId)) }),
    open: (jobId, stored) =>
      isObject(stored) ? readData<K>(opened('data', jobId, stored.sealed)) : undefined,
    sealResult: (jobId, result) => sealer.seal(JSON.stringify(result), place('result', jobId)),
    openResult: (jobId, stored) => readResult(opened('result', jobId, stored)),
  }
}
