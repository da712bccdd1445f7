import { defineConfig } from 'vitest/config'
import { mutantOf } from './list.mjs'
import { forVite } from './plugin.mjs'

/** One test file of the suites, on a library with the mistake that the variable MUTANT names. */
export default defineConfig({
  plugins: [forVite(mutantOf(process.env.MUTANT))],
  test: { include: ['test/**/*.test.ts'], restoreMocks: true, unstubEnvs: true, testTimeout: 15_000 },
})
