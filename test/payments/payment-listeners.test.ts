import { describe, expect, it, vi } from 'vitest'
import { Wakes } from '../../src/payments/payment-listeners.js'

describe('a wake', () => {
  it('reaches everybody who waits for that payment, and nobody else', () => {
    const wakes = new Wakes<string>()
    const [first, second, other] = [vi.fn(), vi.fn(), vi.fn()]
    wakes.listen('a', first)
    wakes.listen('a', second)
    wakes.listen('b', other)
    wakes.wake('a', undefined)
    expect(first).toHaveBeenCalledTimes(1)
    expect(second).toHaveBeenCalledTimes(1)
    expect(other).not.toHaveBeenCalled()
  })

  it('reaches nobody who has stopped listening', () => {
    const wakes = new Wakes<string>()
    const [first, second] = [vi.fn(), vi.fn()]
    const stop = wakes.listen('a', first)
    wakes.listen('a', second)
    stop()
    stop()
    wakes.wake('a', undefined)
    expect(first).not.toHaveBeenCalled()
    expect(second).toHaveBeenCalledTimes(1)
  })

  it('hands on the payment as somebody has just seen it', () => {
    const wakes = new Wakes<string>()
    const listener = vi.fn()
    wakes.listen('a', listener)
    wakes.wake('a', 'seen')
    expect(listener).toHaveBeenCalledExactlyOnceWith('seen')
  })

  it('for a payment that nobody waits for does nothing', () => {
    expect(() => new Wakes<string>().wake('a', undefined)).not.toThrow()
  })

  it('stopping twice does not silence whoever came later', () => {
    const wakes = new Wakes<string>()
    const stop = wakes.listen('a', vi.fn())
    stop()
    const later = vi.fn()
    wakes.listen('a', later)
    stop()
    wakes.wake('a', undefined)
    expect(later).toHaveBeenCalledTimes(1)
  })
})
