import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sleep, within } from '../../../src/client/http/abortable-wait.js'

const caller = new AbortController()
const client = new AbortController()
const late = { kind: 'deadline', sent: false, while: 'waiting' } as const

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  for (const { signal } of [caller, client]) expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

const never = () => new Promise<string>(() => undefined)

describe('every wait leaves no timer and no listener, however it ends', () => {
  it('sleep ends by itself', async () => {
    const slept = sleep(500, { signal: caller.signal, closing: client.signal })
    await vi.advanceTimersByTimeAsync(500)
    await expect(slept).resolves.toBeUndefined()
  })

  it('sleep ends with the caller’s signal, with its reason', async () => {
    const controller = new AbortController()
    const slept = sleep(500, { signal: controller.signal, closing: client.signal })
    controller.abort('enough')
    expect(await slept).toMatchObject({ kind: 'aborted', cause: 'enough', sent: false })
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })

  it('sleep ends when the client is closed', async () => {
    const controller = new AbortController()
    const slept = sleep(500, { signal: caller.signal, closing: controller.signal })
    controller.abort()
    expect(await slept).toMatchObject({ kind: 'closed' })
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })

  it.each([
    ['aborted', AbortSignal.abort('before'), client.signal],
    ['closed', caller.signal, AbortSignal.abort()],
  ])('sleep does not begin when the call is %s already', async (kind, signal, closing) => {
    expect(await sleep(500, { signal, closing })).toMatchObject({ kind })
  })

  it('within passes on what the promise comes to', async () => {
    const limits = { ms: 500, signal: caller.signal, closing: client.signal, late }
    await expect(within(Promise.resolve('done'), limits)).resolves.toBe('done')
    await expect(within(Promise.reject(new Error('failed')), limits)).rejects.toThrow('failed')
  })

  it('within ends in time, and a promise that fails later raises no unhandled rejection', async () => {
    const limits = { ms: 500, signal: caller.signal, closing: client.signal, late }
    const failing = new Promise<string>((_, reject) => setTimeout(() => reject(new Error('too late')), 600))
    const ended = within(failing, limits)
    await vi.advanceTimersByTimeAsync(600)
    expect(await ended).toEqual(late)
  })

  it.each([
    ['aborted', AbortSignal.abort('before'), client.signal],
    ['closed', caller.signal, AbortSignal.abort()],
  ])('within does not wait when the call is %s already', async (kind, signal, closing) => {
    expect(await within(never(), { ms: 500, signal, closing, late })).toMatchObject({ kind })
  })

  it('within ends with the caller’s signal and with the client', async () => {
    const controller = new AbortController()
    const both = [
      within(never(), { ms: 500, signal: controller.signal, closing: client.signal, late }),
      within(never(), { ms: 500, signal: caller.signal, closing: controller.signal, late }),
    ]
    controller.abort()
    expect(await Promise.all(both)).toMatchObject([{ kind: 'aborted' }, { kind: 'closed' }])
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })
})
