import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('../..', import.meta.url))
const all = 'test/engines/**/*.engines.ts'
const alone = 'test/engines/rate-limit.engines.ts'
const common = { root, testTimeout: 600_000 }

// Many processes over Redis and PostgreSQL, private servers among them, in real time. Those that share a rate limit
// come last and alone: beside others, the machine would be measured. The others mostly wait, and wait together.
export default defineConfig({
  root,
  test: {
    maxWorkers: 4,
    projects: [
      {
        root,
        test: {
          ...common,
          name: 'engines',
          include: [all],
          exclude: [alone],
          sequence: { groupOrder: 0 },
        },
      },
      { root, test: { ...common, name: 'rate-limit', include: [alone], sequence: { groupOrder: 1 } } },
    ],
  },
})
