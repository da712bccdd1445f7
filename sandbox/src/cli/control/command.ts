import { Command } from 'commander'
import { exitCodes } from '../../../../src/cli/exit-codes.js'
import type { Io } from '../../../../src/cli/io.js'
import { jsonLine, printable } from '../../../../src/cli/text.js'
import { httpUrl } from '../../../../src/cli/urls.js'
import { requestControl, sandboxAddress } from '../sandbox-control.js'
import { controls } from './controls.js'
import type { Control, ControlGroup, Given } from './spec.js'

/** Whatever the sandbox's page can do but rehearsing, and some of what only code can, of a sandbox that runs. */
export function controlCommand(io: Io): Command {
  return groupOf(controls, io)
}

function groupOf({ name, does, controls: inside }: ControlGroup, io: Io): Command {
  const group = new Command(name).description(does).usage('COMMAND [options]')
  for (const one of inside) group.addCommand('order' in one ? commandOf(one, io) : groupOf(one, io))
  return group
}

function commandOf(control: Control, io: Io): Command {
  const { name, does, args = [], options = () => [], more } = control
  const command = new Command(name).description(does)
  for (const [flags, says] of args) command.argument(flags, says)
  for (const option of options()) command.addOption(option)
  command
    .option('--sandbox <URL>', 'the sandbox (default: GATEWAY_BASE_URL)', httpUrl)
    .option('--json', 'print one line of JSON')
  if (more !== undefined) command.addHelpText('after', more)
  return command.action(() => run(control, command.opts(), command.args, io))
}

async function run(control: Control, given: Given, args: readonly string[], io: Io): Promise<void> {
  const { order, lines, isRefused = () => false } = control
  const asked = order(given, args)
  const sandbox = sandboxAddress(given.sandbox instanceof URL ? given.sandbox : undefined, io.env)
  const answer = await requestControl(sandbox, asked)
  if (given.json === true) io.out(jsonLine(answer))
  else for (const line of lines(answer, args)) io.out(printable(line))
  io.finish(isRefused(answer) ? exitCodes.refused : exitCodes.ok)
}
