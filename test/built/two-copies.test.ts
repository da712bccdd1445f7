import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import * as errors from '../../src/client/errors.js'

const dist = new URL('../../dist/', import.meta.url)

const copies = async (): Promise<(typeof errors)[]> => [
  createRequire(import.meta.url)(new URL('index.cjs', dist).pathname),
  await import(new URL('index.js', dist).href),
  errors,
]

/** Name and code of an error of each class. */
function named(copy: typeof errors): [string, string][] {
  return Object.values(copy).flatMap((one) => {
    if (typeof one !== 'function' || !(one.prototype instanceof copy.GatewayError)) return []
    const error: unknown = Reflect.construct(one, ['x.'])
    return copy.isGatewayError(error) ? [[error.name, error.code] satisfies [string, string]] : []
  })
}

describe('two copies of the package (peer failure 33)', () => {
  it('know each other’s errors, where instanceof fails', async () => {
    const all = await copies()
    for (const one of all) {
      for (const other of all) {
        const error = new one.TimeoutError('x.')
        expect(other.isGatewayError(error)).toBe(true)
        if (one !== other) expect(error instanceof other.TimeoutError).toBe(false)
      }
    }
  })

  it('have the same names and codes, whatever the bundler did', async () => {
    const own = named(errors)
    expect(own.length).toBeGreaterThan(15)
    expect(own).toContainEqual(['TimeoutError', 'timeout'])
    for (const copy of await copies())
      expect(Object.fromEntries(named(copy))).toEqual(Object.fromEntries(own))
  })
})
