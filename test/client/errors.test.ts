import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/client/error-codes.js'
import * as errors from '../../src/client/errors.js'

const { isGatewayError } = errors

/** What the classes of errors have in common. */
const notCaught = ['GatewayError', 'DetailedError', 'AnswerError']

describe('each class of error has its own stable code', () => {
  it.each(Object.entries(errorCodes))('%s', (code, { class: ofCode }) => {
    const error: unknown = Reflect.construct(ofCode, ['what; what next.'])
    const { name } = ofCode
    expect(error).toBeInstanceOf(Error)
    expect(error).toBeInstanceOf(errors.GatewayError)
    expect(error).toMatchObject({ code, name, message: 'what; what next.' })
    expect(String(error)).toBe(`${name}: what; what next.`)
    expect(error).toHaveProperty('stack', expect.stringContaining('errors.test.ts'))
  })

  it('and the table of codes has every class', () => {
    const classes = Object.keys(errors).filter((name) => name.endsWith('Error') && !notCaught.includes(name))
    const ofCodes = Object.values(errorCodes).map(({ class: { name } }) => name)
    expect(ofCodes.toSorted()).toEqual(classes.filter((name) => name !== 'isGatewayError').toSorted())
  })
})

const details = {
  status: 503,
  idPayout: 'order-1',
  outcome: 'unknown',
  attempts: 5,
  retryAfterMs: 2_000,
  headers: { 'content-type': 'text/html' },
  bodyStart: '<html>',
} as const

describe('what an error knows', () => {
  const cause = new Error('why')
  const error = new errors.ServerError('the gateway failed; try again.', details, cause)

  it('is on it, and the cause is kept', () => {
    expect(error).toMatchObject(details)
    expect(error.cause).toBe(cause)
  })

  it('and nothing else is: absent details are absent', () => {
    expect('idPayin' in error).toBe(false)
    expect('cause' in new errors.TimeoutError('x.')).toBe(false)
    expect(Object.keys(new errors.TimeoutError('x.', { attempts: 1 })).toSorted()).toEqual([
      'attempts',
      'code',
    ])
  })

  it('goes into JSON, without stack and cause', () => {
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'ServerError',
      code: 'server',
      message: 'the gateway failed; try again.',
      ...details,
    })
  })

  it('is shown by inspect, together with the cause', () => {
    const shown = inspect(error)
    expect(shown).toMatch(/^ServerError: the gateway failed; try again\./)
    for (const part of ["code: 'server'", "outcome: 'unknown'", "idPayout: 'order-1'", 'why']) {
      expect(shown).toContain(part)
    }
  })

  it('can not be changed on the way by mistake', () => {
    expect(() => Object.assign(error, { outcome: 'not-accepted' })).toThrow(TypeError)
  })
})

describe('isGatewayError', () => {
  it.each([
    ['an error of this package', new errors.TimeoutError('x.'), true],
    ['another error', new Error('x'), false],
    ['an error that has a code', Object.assign(new Error('x'), { code: 'timeout' }), false],
    ['a plain object', { code: 'timeout', message: 'x' }, false],
    ['a text', 'timeout', false],
    ['null', null, false],
    ['nothing', undefined, false],
  ])('%s', (_what, value, expected) => {
    expect(isGatewayError(value)).toBe(expected)
  })

  it('knows an error from another realm, as in test runners', () => {
    const foreign: unknown = runInNewContext(
      `Object.assign(new Error('x'), { [Symbol.for('merchant-gateway.error')]: true, code: 'timeout' })`,
    )
    expect(foreign instanceof Error).toBe(false)
    expect(isGatewayError(foreign)).toBe(true)
  })
})

describe('hasOutcome', () => {
  it.each([
    ['an error of a create', new errors.ConnectionError('x.', { outcome: 'unknown' }), true],
    ['an error of another call', new errors.ConnectionError('x.'), false],
    ['an error of a wait', new errors.WaitTimeoutError('x.'), false],
    ['another error that has one', Object.assign(new Error('x'), { outcome: 'unknown' }), false],
    ['nothing', undefined, false],
  ])('%s', (_what, value, expected) => {
    expect(errors.hasOutcome(value)).toBe(expected)
  })
})
