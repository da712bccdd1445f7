import { afterEach, vi } from 'vitest'

/** Before any other file of a suite: whoever fakes timers need not put the real ones back. */
afterEach(() => void vi.useRealTimers())
