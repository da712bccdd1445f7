import { type AnyGatewayError, isGatewayError } from '../../src/errors.js'

/** What a function throws or a promise rejects with; an error when it does neither. */
export async function caught(act: () => unknown): Promise<AnyGatewayError> {
  try {
    await act()
  } catch (error) {
    if (isGatewayError(error)) return error
    throw new Error(`not an error of the package: ${String(error)}`, { cause: error })
  }
  throw new Error('nothing was thrown')
}
