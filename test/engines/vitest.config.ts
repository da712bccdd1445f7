import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Many processes over private servers of Redis and PostgreSQL, in real time: a minute and a half, one file after
// another, since a busy machine would be measured otherwise.
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { include: ['test/engines/**/*.engines.ts'], testTimeout: 120_000, fileParallelism: false },
})
