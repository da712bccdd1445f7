import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteBuffer } from '../../../../src/client/http/transport/byte-buffer.js'

describe('bytes that come in chunks', () => {
  it('are those that came, in their order, and no chunk is written to', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
        const before = chunks.map((chunk) => [...chunk])
        const buffer = new ByteBuffer()
        for (const chunk of chunks) buffer.add(chunk)
        expect([...buffer.bytes()]).toEqual(before.flat())
        expect(buffer.length).toBe(before.flat().length)
        expect(chunks.map((chunk) => [...chunk])).toEqual(before)
      }),
    )
  })

  it('cost a small multiple of their size, also when they come one by one', () => {
    const size = 4 * 1024 * 1024
    // As undici cuts them: each a view of a packet.
    const packet = Buffer.alloc(65_536, 'x')
    const before = process.memoryUsage()
    const buffer = new ByteBuffer()
    for (let n = 0; n < size; n++) buffer.add(packet.subarray(n % 65_536, (n % 65_536) + 1))
    expect(buffer.length).toBe(size)
    expect(buffer.bytes().buffer.byteLength).toBeLessThanOrEqual(2 * size)
    expect(process.memoryUsage().arrayBuffers - before.arrayBuffers).toBeLessThan(8 * size)
  })
})
