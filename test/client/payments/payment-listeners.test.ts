import { describe, expect, it, vi } from 'vitest'
import { PaymentListeners } from '../../../src/client/payments/callback-link.js'

describe('a notification', () => {
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
