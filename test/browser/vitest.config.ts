import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['**/*.browser.ts'],
    environment: 'node',
    globalSetup: './announce-chromium.ts',
    // One browser at a time: there may be little memory, and pictures must not wait for each other.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
