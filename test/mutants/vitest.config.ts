import { defineConfig } from 'vitest/config'

// The tests of what decides, without the rest: Stryker runs them for each of its mistakes.
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/client/{http,payments}/**/*.test.ts', 'test/jobs/*.test.ts'],
    setupFiles: 'test/support/real-timers.ts',
    restoreMocks: true,
  },
})
