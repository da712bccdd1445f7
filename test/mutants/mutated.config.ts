import { defineConfig } from 'vitest/config'
import { mutantOf } from './list.mjs'
import { forVite } from './plugin.mjs'

const { MUTANT: name } = process.env

/** One test file of the suites, on a library with the mistake that the variable MUTANT names; `none` is as it is. */
export default defineConfig({
  plugins: name === 'none' ? [] : [forVite(mutantOf(name))],
  test: {
    include: ['test/**/*.test.ts'],
    restoreMocks: true,
    unstubEnvs: true,
    setupFiles: ['test/support/real-timers.ts'],
    testTimeout: 15_000,
  },
})
