import { describe, expect, test } from 'vitest'
import { WarmConnections } from '../../../../src/client/http/transport/fetch-transport.js'

describe('a fetch that does not tell when it writes has a connection', () => {
  const answered = (atOnce: number) => {
    const connections = new WarmConnections()
    for (let n = 0; n < atOnce; n++) expect(connections.begin(0)).toBe(false)
    for (let n = 0; n < atOnce; n++) {
      connections.answered(100)
      connections.end(true)
    }
    return connections
  }

  test('not for the first request, and for the next one', () => {
    expect(answered(1).begin(200)).toBe(true)
  })

  test('for as many at once as were answered at once, and no more', () => {
    const connections = answered(3)
    expect([1, 2, 3, 4].map(() => connections.begin(200))).toEqual([true, true, true, false])
  })

  test('not after two seconds without a response', () => {
    expect(answered(1).begin(2100)).toBe(true)
    expect(answered(1).begin(2101)).toBe(false)
  })

  test('not in place of one that broke', () => {
    const connections = answered(1)
    connections.begin(200)
    connections.end(false)
    expect(connections.begin(300)).toBe(false)
  })
})
