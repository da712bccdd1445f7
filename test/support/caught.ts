import { type AnyGatewayError, isGatewayError } from '../../src/client/errors.js'

type FieldOf<E> = E extends unknown ? Exclude<keyof E, keyof Error | 'code' | 'toJSON' | symbol> : never
type ValueOf<E, Field> = E extends unknown ? (Field extends keyof E ? E[Field] : never) : never

/** What any error may know: a test asks one that it has not narrowed yet. */
export type AnyFields = {
  readonly [Field in FieldOf<AnyGatewayError>]?: ValueOf<AnyGatewayError, Field> | undefined
}

/** What a function throws or a promise rejects with; an error when it does neither. */
export async function caught(act: () => unknown): Promise<AnyGatewayError & AnyFields> {
  try {
    await act()
  } catch (error) {
    if (isGatewayError(error)) return error
    throw new Error(`not an error of the package: ${String(error)}`, { cause: error })
  }
  throw new Error('nothing was thrown')
}
