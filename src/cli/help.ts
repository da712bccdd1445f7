import { Command } from 'commander'
import { CommandFailed } from './exit-codes.js'

/** `help payin get` is `payin get --help`, for whoever types that first. */
export function helpCommand(program: Command): Command {
  return new Command('help')
    .description('Print how a command is used.')
    .argument('[COMMAND...]', 'such as payin get (default: all commands)')
    .action((names: string[]) => commandAt(program, names).help())
}

/** A command by its words; one that only groups another stands for that. */
function commandAt(program: Command, names: readonly string[]): Command {
  let found = program
  for (const name of names) {
    const next = found.commands.find((child) => child.name() === name)
    // What was typed is not repeated: it may be a token that was pasted into the wrong place.
    if (next === undefined)
      throw new CommandFailed(`there is no such command; "${program.name()} help" lists all.`)
    found = next
  }
  const [only, ...others] = found.commands
  return only === undefined || others.length > 0 ? found : only
}
