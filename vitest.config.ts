import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The packages by their names, from sources: no test of `npm test` needs a build. */
const sources: Readonly<Record<string, string>> = {
  'merchant-gateway': 'src/index.ts',
  'merchant-gateway/callbacks': 'src/callbacks/index.ts',
  'merchant-gateway/opentelemetry': 'src/opentelemetry/index.ts',
  'merchant-gateway/redis': 'src/stores/redis/index.ts',
  'merchant-gateway/postgres': 'src/stores/postgres/index.ts',
  'merchant-gateway/jobs': 'src/jobs/index.ts',
  'merchant-gateway/bullmq': 'src/jobs/bullmq/index.ts',
  'merchant-gateway-sandbox': 'packages/sandbox/src/index.ts',
  'merchant-gateway-cli': 'packages/cli/src/index.ts',
  'merchant-gateway-signer': 'packages/signer/src/index.ts',
}
const alias = Object.entries(sources).map(([name, file]) => ({
  find: new RegExp(`^${name}$`),
  replacement: join(import.meta.dirname, file),
}))

/**
 * The projects of `npm run test:slow`: they start programs, compile them, or look at what is built, so they are
 * slow and want `dist`; or they play shops in real time. `.ci/run` runs them all. Suites with needs beyond that (a
 * browser, a registry, a minute of real time) have a configuration in their folder.
 */
const slow = {
  apart: [
    'test/{alerts,fuzz,load,opentelemetry,properties,simulation,types,wire}/**/*.test.ts',
    'test/client/observe/unheard.test.ts',
    'packages/sandbox/test/auth/many-tokens.test.ts',
    'packages/sandbox/test/rehearse/planted.test.ts',
  ],
  cli: [
    'packages/cli/test/{help,keygen,questions}.test.ts',
    'packages/cli/test/{doctor,payouts}/**/*.test.ts',
    'packages/cli/test/reconcile/{command,month}.test.ts',
    'packages/{sandbox,signer}/test/cli/**/*.test.ts',
    'test/security/{command-line,environment}.test.ts',
  ],
  guides: [
    'test/{docs,examples,readme}/**/*.test.ts',
    'test/callbacks/docs.test.ts',
    'packages/sandbox/test/docs.test.ts',
  ],
  built: ['test/{api,built,scripts}/**/*.test.ts', 'test/{faults/exits,client/observe/processes}.test.ts'],
}

/** Files that put a clock of their own into the process, which nobody else should meet. */
const clock = ['test', 'packages/sandbox/test', 'packages/signer/test']
  .flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true }).map(
      (name) => `${folder}/${String(name).replaceAll('\\', '/')}`,
    ),
  )
  .filter(
    (file) =>
      file.endsWith('.test.ts') &&
      !/^(?:test\/(?:alerts|fuzz|load|opentelemetry|properties|simulation|types|wire)|packages\/\w+\/test\/cli)\//.test(
        file,
      ),
  )
  .filter((file) => readFileSync(join(import.meta.dirname, file), 'utf8').includes('useFakeTimers'))

/** Files that take a minute and more of real time, and those of half a minute: begun last, they would be waited for alone. */
const longest = /rehearsal\.test|planted/
const long = /simulation|examples|wire|alerts|rehearse|doctor|send\.test|guides/

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      2 * Number(longest.test(moduleId)) + Number(long.test(moduleId))
    return (await super.sort(files)).sort((one, other) => rank(other) - rank(one))
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
        resolve: { alias },
        test: {
          ...common,
          name: 'unit',
          // Two of three seconds were spent on loading the same modules anew for each file.
          pool: 'threads',
          isolate: false,
          // Tests that are played side by side wait most of the time.
          maxConcurrency: 10,
          include: ['{test,packages/*/test}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...clock, ...Object.values(slow).flat()],
        },
      },
      { resolve: { alias }, test: { ...common, name: 'clock', pool: 'threads', include: clock } },
      ...Object.entries(slow).map(([name, include]) => ({
        resolve: { alias },
        test: { ...common, name, include },
      })),
    ],
  },
})
