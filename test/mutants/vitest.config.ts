import { defineConfig } from 'vitest/config'

// The tables of tests beside what decides, without the rest: Stryker runs them for each of its mistakes.
export default defineConfig({
  test: {
    environment: 'node',
    include: [
      'test/client/http/{failures,retry-policy}.test.ts',
      'test/client/http/limit/pacing.test.ts',
      'test/client/payments/{compare,other-money}.test.ts',
      'test/jobs/decide.test.ts',
      'test/callbacks/decisions.test.ts',
    ],
    setupFiles: 'test/support/real-timers.ts',
    restoreMocks: true,
  },
})
