import { describe, expect, it } from 'vitest'
import { Observer } from '../../../src/client/observe/observer.js'

const settings = { basePath: '', logger: undefined, slowCallMs: 10_000 }

describe('the client that events are about', () => {
  it.each([
    ['https://gateway.example', '', 'gateway.example', 443],
    ['http://localhost', '', 'localhost', 80],
    ['https://gateway.example:8443', '/api', 'gateway.example', 8443],
    ['http://[::1]:3000', '', '::1', 3000],
  ])('%s%s is %s, port %i', (origin, basePath, serverAddress, serverPort) => {
    const { client } = new Observer({ ...settings, origin, basePath })
    expect(client).toStrictEqual({ serverAddress, serverPort, basePath })
  })
})
