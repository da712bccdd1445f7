import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Installs runtimes and compilers, about 1 GB, and runs for minutes: so not part of the main suite.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['**/*.package.ts'],
    exclude: ['**/node_modules/**'],
    environment: 'node',
    globalSetup: './setup/global-setup.ts',
    // Most of the time is spent in other processes, so one file at a time keeps two cores busy.
    fileParallelism: false,
    maxConcurrency: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
