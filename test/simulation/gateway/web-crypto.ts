import { createHmac, KeyObject } from 'node:crypto'

/**
 * Signs the gateway's tokens at once, in the place of WebCrypto's threads: these end when they like, and cost more
 * than all else that the gateway does.
 */
export function signTokensAtOnce(): void {
  const { subtle } = globalThis.crypto
  const sign = subtle.sign.bind(subtle)
  const value: typeof subtle.sign = async (algorithm, key, data) => {
    if (key.algorithm.name !== 'HMAC') return sign(algorithm, key, data)
    const [buffer, from, length] = ArrayBuffer.isView(data)
      ? [data.buffer, data.byteOffset, data.byteLength]
      : [data, 0, data.byteLength]
    const bytes = new Uint8Array(buffer, from, length)
    return new Uint8Array(createHmac('sha256', KeyObject.from(key)).update(bytes).digest()).buffer
  }
  Object.defineProperty(subtle, 'sign', { value, configurable: true })
}
