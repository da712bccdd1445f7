import { describe, expect, it, vi } from 'vitest'
import { PaymentListeners } from '../../../src/client/payments/watch.js'

describe('a notification', () => {
  it('reaches everybody who waits for that payment, and nobody else', () => {
    const listeners = new PaymentListeners<string>()
    const [first, second, other] = [vi.fn(), vi.fn(), vi.fn()]
    listeners.listen('a', first)
    listeners.listen('a', second)
    listeners.listen('b', other)
    listeners.notify('a', undefined)
    expect(first).toHaveBeenCalledTimes(1)
    expect(second).toHaveBeenCalledTimes(1)
    expect(other).not.toHaveBeenCalled()
  })

  it('reaches nobody who has stopped listening', () => {
    const listeners = new PaymentListeners<string>()
    const [first, second] = [vi.fn(), vi.fn()]
    const stop = listeners.listen('a', first)
    listeners.listen('a', second)
    stop()
    stop()
    listeners.notify('a', undefined)
    expect(first).not.toHaveBeenCalled()
    expect(second).toHaveBeenCalledTimes(1)
  })

  it('hands on the payment as somebody has just seen it', () => {
    const listeners = new PaymentListeners<string>()
    const listener = vi.fn()
    listeners.listen('a', listener)
    listeners.notify('a', 'seen')
    expect(listener).toHaveBeenCalledExactlyOnceWith('seen')
  })

  it('for a payment that nobody waits for does nothing', () => {
    expect(() => new PaymentListeners<string>().notify('a', undefined)).not.toThrow()
  })

  it('stopping twice does not silence whoever came later', () => {
    const listeners = new PaymentListeners<string>()
    const stop = listeners.listen('a', vi.fn())
    stop()
    const later = vi.fn()
    listeners.listen('a', later)
    stop()
    listeners.notify('a', undefined)
    expect(later).toHaveBeenCalledTimes(1)
  })
})
