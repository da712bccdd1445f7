import type { Io } from '../../../../src/cli/io.js'
import { Application } from './application.js'
import { environmentOf } from './environment.js'
import { type ApplicationOptions, readApplication } from './options.js'

/**
 * The application that the page of a sandbox rehearses; undefined when none was named.
 *
 * @param served where the sandbox is, asked when a process is started
 */
export function pageApplication(
  options: ApplicationOptions,
  io: Io,
  served: () => Parameters<typeof environmentOf>[0],
): Application | undefined {
  const { start, act, status } = options
  if ([start, act, status].every((option) => option === undefined)) return undefined
  return new Application(readApplication(options), {
    get env() {
      return environmentOf(served(), io.env)
    },
    output: 'ignore',
    onExit: (end) => io.onExit(end),
  })
}
