import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Sealer } from '../../../src/client/auth/seal.js'

const key = randomBytes(32)
const text = '{"token":"canary-token","lifetimeMs":900000}'

test('what was sealed shows nothing, is never the same twice, and can be opened', () => {
  const sealer = new Sealer([key])
  const [first, second] = [sealer.seal(text, 'here'), sealer.seal(text, 'here')]
  expect(first).toMatch(/^1\.[\w-]{8}\.[\w-]+$/)
  expect(Buffer.from(first.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('canary')
  expect(first).not.toBe(second)
  expect(sealer.open(first, 'here')).toBe(text)
})

test('it opens in its place alone', () => {
  const sealer = new Sealer([key])
  expect(sealer.open(sealer.seal(text, 'here'), 'there')).toBeUndefined()
})

test('the first key seals and all open', () => {
  const young = randomBytes(32)
  const both = new Sealer([young, key])
  expect(both.open(new Sealer([key]).seal(text, 'here'), 'here')).toBe(text)
  expect(new Sealer([young]).open(both.seal(text, 'here'), 'here')).toBe(text)
  expect(new Sealer([key]).open(both.seal(text, 'here'), 'here')).toBeUndefined()
})

test('nothing that was changed is opened, wherever it was changed', () => {
  const sealer = new Sealer([key])
  const sealed = sealer.seal(text, 'here')
  const start = sealed.lastIndexOf('.') + 1
  const bytes = Buffer.from(sealed.slice(start), 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(sealer.open(sealed.slice(0, start) + changed.toString('base64url'), 'here')).toBeUndefined()
  }
  for (let length = 0; length < sealed.length; length++) {
    expect(sealer.open(sealed.slice(0, length), 'here')).toBeUndefined()
  }
})
