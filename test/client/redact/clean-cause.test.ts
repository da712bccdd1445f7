import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { cleanCause } from '../../../src/client/redact/clean-cause.js'
import { hiding } from '../../../src/client/redact/hide.js'
import { mask } from '../../../src/client/redact/mask.js'

describe('the cause of a broken connection', () => {
  it('keeps name, message, codes and causes (peer failure 3)', () => {
    const root = Object.assign(new Error('read ECONNRESET'), {
      code: 'ECONNRESET',
      errno: -104,
      syscall: 'read',
    })
    const clean = cleanCause(new TypeError('fetch failed', { cause: root }), hiding([]))
    expect(clean).toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { message: 'read ECONNRESET', code: 'ECONNRESET', errno: -104, syscall: 'read' },
    })
  })

  it('loses what else hangs on it, and a message that holds a secret (peer failure 21)', () => {
    const error = Object.assign(new Error('bad s3cret'), {
      request: { authorization: 'Bearer abc' },
      data: 's3cret',
    })
    const printed = inspect(cleanCause(error, hiding(['s3cret'])), { showHidden: true, depth: 9 })
    expect(printed).toContain(mask)
    expect(printed).not.toMatch(/s3cret|Bearer/)
  })

  it.each([
    ['a text', 'bad s3cret', mask],
    ['an object', { authorization: 'Bearer abc' }, undefined],
    ['nothing', undefined, undefined],
  ])('that is %s', (_what, cause, clean) => {
    expect(cleanCause(cause, hiding(['s3cret']))).toBe(clean)
  })

  it('shows what does not show, and keeps of the stack its frames', () => {
    const error = new Error('reset\u001b[2J\n    by peer\nSENT: \u202e')
    const { stack = '', message } = Object(cleanCause(error, hiding(['s3cret'])))
    expect(message).toBe(String.raw`reset\u001b[2J\u000a    by peer\u000aSENT: \u202e`)
    const [first, ...frames] = stack.split('\n')
    expect(first).toBe(`Error: ${message}`)
    expect(frames.length).toBeGreaterThan(1)
    expect(frames.every((line: string) => line.startsWith('    at '))).toBe(true)
  })

  it('loses the frames of the stack that hold a secret, and no others', () => {
    const error = new Error('reset')
    error.stack = 'Error: reset\n    at connect (/app/peer.js:1:1)\n    at s3cret (/app/peer.js:2:2)'
    const { stack = '' } = Object(cleanCause(error, hiding(['s3cret'])))
    expect(stack).toBe('Error: reset\n    at connect (/app/peer.js:1:1)')
  })

  it('ends where causes go in a circle', () => {
    const error = new Error('round')
    error.cause = error
    expect(cleanCause(error, hiding([]))).toMatchObject({ message: 'round', cause: { message: 'round' } })
  })
})
