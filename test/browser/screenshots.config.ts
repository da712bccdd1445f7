import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// npm run screenshots: writes the pictures of the README, and checks nothing.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['screenshots.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
