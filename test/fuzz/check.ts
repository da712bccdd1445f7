import { inspect } from 'node:util'
import { isGatewayError } from '../../src/index.js'
import { canaries, type Reader } from './readers.js'

/** Far more than any of these takes, on a machine that has other things to do. */
export const longestMs = 3000

/** Reads the bytes, and says what is wrong with what came of it; undefined where nothing is. */
export async function check(reader: Reader, bytes: Buffer): Promise<string | undefined> {
  const beganAt = performance.now()
  let shown: unknown
  try {
    shown = await reader.read(bytes)
  } catch (error) {
    if (!isGatewayError(error))
      return `an error that is not ours: ${error instanceof Error ? error.name : typeof error}`
    shown = [error, error.message, JSON.stringify(error), error.stack]
  }
  if (performance.now() - beganAt > longestMs) return `more than ${longestMs} ms`
  if (reader.mayShow?.(bytes) === true) return undefined
  const printed = inspect(shown, { depth: 10, showHidden: true, maxStringLength: null })
  // The end of "\\u001c" is no letter of what follows it.
  const said = printed.replace(/\\(?:u[\da-f]{4}|x[\da-f]{2})/gi, ' ')
  const secrets = [...canaries, ...(reader.secretsIn?.(bytes) ?? [])]
  const found = secrets.findIndex((secret) => said.toLowerCase().includes(secret.toLowerCase()))
  return found === -1 ? undefined : 'a text that nobody may see'
}
