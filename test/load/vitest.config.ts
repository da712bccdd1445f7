import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// In real time and over sockets: about a minute, so not part of the main suite.
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { include: ['test/load/**/*.load.ts'], testTimeout: 120_000 },
})
