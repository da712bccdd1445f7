import { describe, expect, it } from 'vitest'
import type { CallOptions } from '../../../src/client/input/call-options.js'
import { caught } from '../../support/caught.js'
import { mockGateway } from '../../support/gateway.js'
import { customerAccountPath, methods } from '../../support/methods.js'

const gateway = mockGateway()

const client = () => gateway.client({ customerAccountPath })

describe.each(Object.entries(methods))('%s', (_name, call) => {
  it('refuses an option that it does not know', async () => {
    const error = await caught(() => call(client(), 'a', JSON.parse('{"timeout":5000}')))
    expect(error).toMatchObject({ code: 'invalid_input', field: 'timeout' })
    expect(gateway.seen).toEqual([])
  })

  it('takes a signal that has fired, and sends nothing', async () => {
    const error = await caught(() => call(client(), 'a', { signal: AbortSignal.abort('enough') }))
    expect(error).toMatchObject({ code: 'aborted', cause: 'enough' })
    expect(error.message).toContain('before anything was sent')
    expect(gateway.business()).toEqual([])
  })
})

it.each([{ removeEventListener: undefined }, { addEventListener: 1 }, { aborted: 'no' }])(
  'a signal without all that is used of it is refused: %o',
  async (lack) => {
    const whole = { aborted: false, addEventListener: () => {}, removeEventListener: () => {} }
    const options: CallOptions = {}
    Reflect.set(options, 'signal', { ...whole, ...lack })
    expect(await caught(() => client().currencies.list(options))).toMatchObject({ field: 'signal' })
  },
)

it.each(['null', '5'])('options that are no object are refused: %s', async (options) => {
  const error = await caught(() => client().currencies.list(JSON.parse(options)))
  expect(error).toMatchObject({ code: 'invalid_input', field: 'options' })
  expect(gateway.seen).toEqual([])
})

it('options that are undefined are the client’s', async () => {
  const nothing = { signal: undefined, timeoutMs: undefined, deadlineMs: undefined, retries: undefined }
  await expect(client().currencies.list(nothing)).resolves.toEqual({})
})

it('the number of retries of a call goes before the client’s', async () => {
  gateway.answer(() => Response.json({}, { status: 503, headers: { 'retry-after': '0' } }))
  const error = await caught(() => gateway.client({ retries: 4 }).currencies.list({ retries: 0 }))
  expect(error).toMatchObject({ code: 'server', attempts: 1 })
})

it('a deadline shorter than Retry-After ends the call at once, and the error carries it (peer failure 8)', async () => {
  gateway.answer(() => Response.json({}, { status: 503, headers: { 'retry-after': '61' } }))
  const error = await caught(() => gateway.client({ retries: 4 }).currencies.list({ deadlineMs: 60_000 }))
  expect(error).toMatchObject({ code: 'server', attempts: 1, retryAfterMs: 61_000 })
})
