import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { userAgent, version } from '../../../src/client/http/headers.js'

describe('the user agent', () => {
  it('carries the version of the package', () => {
    expect(version).toBe(manifest.version)
  })

  it.each([
    [{ node: '20.20.2' }, ' node/20.20.2'],
    [{ node: '24.3.0', bun: '1.3.0' }, ' bun/1.3.0'],
    [{ node: '22.0.0', deno: '2.5.0' }, ' deno/2.5.0'],
    [{}, ''],
  ])('and the runtime: %j', (versions, runtime) => {
    expect(userAgent(versions)).toBe(`merchant-gateway/${version}${runtime}`)
  })
})
