import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// npx vitest run --config packages/sandbox/test/browser/screenshots.config.ts: writes the pictures of the guides, and checks nothing.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['screenshots.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
