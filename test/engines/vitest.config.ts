import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Processes that are killed, on Redis and on PostgreSQL: slow, and wants `dist`.
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { include: ['test/engines/**/*.engines.ts'], testTimeout: 120_000, maxConcurrency: 2 },
})
