import { EventEmitter } from 'node:events'
import type { Command } from 'commander'

/** Puts the example of a command at the end of its help. */
export function addExample(command: Command, program: string, example: string | undefined): void {
  if (example === undefined) return
  // Lines that are there already have left the empty line above them.
  const gap = command instanceof EventEmitter && command.listenerCount('afterHelp') > 0 ? '' : '\n'
  command.addHelpText('after', `${gap}Example: ${program} ${example}`)
}
