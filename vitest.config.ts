import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The projects of `npm run test:slow`: they start programs, compile them, or look at what is built, so they are
 * slow and want `dist`. `.ci/run` runs them all. Suites with needs beyond that (a browser, a registry, a minute of real time) have
 * a configuration in their folder.
 */
const slow = {
  apart: ['test/{alerts,fuzz,load,opentelemetry,properties,simulation,types,wire}/**/*.test.ts'],
  cli: ['test/cli/**/*.test.ts', 'test/security/{command-line,environment}.test.ts'],
  guides: [
    'test/{docs,examples,readme}/**/*.test.ts',
    'test/callbacks/docs.test.ts',
    'test/sandbox/docs.test.ts',
  ],
  built: [
    'test/{api,built,scripts}/**/*.test.ts',
    'test/{faults/exits,faults/hostile-answers,client/observe/processes}.test.ts',
  ],
}

/** Files that put a clock of their own into the process, which nobody else should meet. */
const clock = readdirSync(join(import.meta.dirname, 'test'), { recursive: true })
  .map((name) => `test/${String(name).replaceAll('\\', '/')}`)
  .filter(
    (file) =>
      file.endsWith('.test.ts') &&
      !/^test\/(?:alerts|cli|fuzz|load|opentelemetry|properties|simulation|types|wire)\//.test(file),
  )
  .filter((file) => readFileSync(join(import.meta.dirname, file), 'utf8').includes('useFakeTimers'))

/** Files that take half a minute and more: begun last, they would be waited for alone. */
const long = /simulation|web-shop|examples|wire|alerts|learn\/|kills|rehearse|doctor|send\.test|guides/

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(long.test(moduleId))
    return (await super.sort(files)).sort((one, other) => isLong(other) - isLong(one))
  }
}

/** Of every suite. Not inherited from the whole, whose `maxWorkers` would then go before the command line's. */
const common = {
  environment: 'node',
  // Many wait for sockets, on machines that may have other things to do.
  testTimeout: 120_000,
  hookTimeout: 60_000,
  restoreMocks: true,
  unstubEnvs: true,
  setupFiles: 'test/support/real-timers.ts',
} as const

export default defineConfig({
  test: {
    // Most tests wait for sockets and deadlines, so two workers share a core well.
    maxWorkers: 2 * availableParallelism(),
    dangerouslyIgnoreUnhandledErrors: false,
    sequence: { sequencer: LongOnesFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          // Two of three seconds were spent on loading the same modules anew for each file.
          pool: 'threads',
          isolate: false,
          // Tests that are played side by side wait most of the time.
          maxConcurrency: 10,
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...clock, ...Object.values(slow).flat()],
        },
      },
      { test: { ...common, name: 'clock', pool: 'threads', include: clock } },
      ...Object.entries(slow).map(([name, include]) => ({ test: { ...common, name, include } })),
    ],
  },
})
