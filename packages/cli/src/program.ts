import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { CommandFailed, exitCodes } from './exit-codes.js'
import { failureOf, wantsJson } from './failure.js'
import { hideArguments } from './hide-arguments.js'
import type { Io } from './io.js'
import { jsonLine, painter, printable } from './text.js'

const widest = 80

/** A command line: its name, and what it can do. */
export interface CommandLine {
  readonly name: string
  readonly description: string
  readonly commands: (io: Io) => readonly Command[]
  /** Commands that no help shows. */
  readonly hidden?: () => readonly Command[]
  /** What somebody may type who has read no more than the help, by the words of the command. */
  readonly examples: Readonly<Record<string, string>>
  /** The line after the name that stands for all. */
  readonly example: string
  /** The command that runs where none is named. */
  readonly byDefault?: string
  /** Groups that have a page of help of their own. */
  readonly ownPages: readonly string[]
}

/** Runs what was asked for, and sets the exit code of how it went. Never rejects. */
export async function run(line: CommandLine, args: readonly string[], io: Io): Promise<void> {
  const json = wantsJson(args)
  const said: string[] = []
  const note = json ? (text: string) => void said.push(text) : io.note
  try {
    const words = named(line, args)
    await programOf(line, io, note, words).parseAsync(words, { from: 'user' })
  } catch (error) {
    const isCommanders = error instanceof CommanderError
    // The help that was asked for.
    if (isCommanders && error.exitCode === 0) return io.finish(exitCodes.ok)
    const failure = failureOf(error, said.join(' '))
    if (json) io.out(jsonLine({ error: failure }))
    // commander has said what was wrong.
    else if (!isCommanders) {
      for (const { line, reason } of failure.problems ?? []) io.note(printable(`line ${line}: ${reason}`))
      io.note(`${painter(io.colours.err)('red', 'error:')} ${printable(failure.message)}`)
    }
    io.finish(failure.exitCode)
  }
}

/** Options alone are those of the command by default. A first word that is no command is a mistyped one. */
function named({ byDefault }: CommandLine, args: readonly string[]): string[] {
  const [first = '-'] = args
  const isOption = first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first)
  return byDefault !== undefined && isOption ? [byDefault, ...args] : [...args]
}

/** @param note where commander's own errors go. */
function programOf(line: CommandLine, io: Io, note: Io['note'], args: readonly string[]): Command {
  const program = new Command(line.name)
    .description(line.description)
    .version(ownVersion(), '-V, --version', 'print the version')
    .usage('COMMAND [options]')
  const commands = [...line.commands(io), helpCommand(program)]
  for (const command of commands) {
    program.addCommand(command)
  }
  for (const command of line.hidden?.() ?? []) program.addCommand(command, { hidden: true })
  program.helpCommand(false).addHelpText('after', epilogueOf(line))
  for (const command of everyCommand(program)) {
    shape(command, line.name, io, note, args)
    addExample(command, line.name, line.examples[pathOf(command)])
  }
  program.configureHelp({
    ...helpStyle,
    // The two that every program has would keep a command off the screen.
    visibleOptions: () => [],
    // What can be run, not what it is grouped under; some have a page of their own, since one can't hold all.
    visibleCommands: () =>
      commands.flatMap((command) =>
        line.ownPages.includes(command.name()) ? command : [...leaves(command)],
      ),
  })
  return program
}

const epilogueOf = ({ name, example }: CommandLine) => `
help COMMAND says more, with an example; -V prints the version.
Example: ${name} ${example}
Exit codes: 0 done, 1 refused, 2 wrong usage or settings, 3 no answer.`

const helpStyle = {
  showGlobalOptions: false,
  subcommandTerm: (command: Command) => `${pathOf(command)} ${argumentsOf(command)}`.trimEnd(),
  styleTitle: (title: string) => painter(true)('bold', title),
}

/** The same ways for every command: errors come here, and help is no wider than a page. */
function shape(command: Command, name: string, io: Io, note: Io['note'], args: readonly string[]): void {
  command
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'print this')
    .configureHelp(helpStyle)
    .configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr: (text) => note(text.trimEnd()),
      outputError: (text, write) => {
        const typed = args.filter((arg) => arg !== command.name())
        write(
          withHelp(hideArguments(text, typed).trimEnd().split('\n').map(printable).join(' '), command, name),
        )
      },
      getOutHelpWidth: () => Math.min(widest, process.stdout.columns ?? widest),
      getErrHelpWidth: () => Math.min(widest, process.stderr.columns ?? widest),
      getOutHasColors: () => io.colours.out,
      getErrHasColors: () => io.colours.err,
    })
}

/** Where to look, unless commander has said what is right instead: a whole sentence, or "Did you mean". */
function withHelp(said: string, command: Command, name: string): string {
  if (/[.)]$/.test(said)) return said
  const other = ofOtherNumber(command)
  if (other !== undefined) return `${said} (Did you mean ${pathOf(other)}?)`
  const help =
    command.parent === null ? 'help" lists the commands' : `help ${pathOf(command)}" says how it is used`
  return `${said}; "${name} ${help}.`
}

/** `payouts send` for `payout send`, and `payin get` for `payins get`. */
function ofOtherNumber(command: Command): Command | undefined {
  const stemOf = (one: Command) => one.name().replace(/s$/, '')
  const [word] = command.args
  const others = command.parent?.commands.filter((one) => stemOf(one) === stemOf(command)) ?? []
  return others.flatMap(({ commands }) => commands).find((one) => one.name() === word)
}

function* everyCommand(command: Command): Generator<Command> {
  yield command
  for (const child of command.commands) yield* everyCommand(child)
}

function* leaves(command: Command): Generator<Command> {
  if (command.commands.length === 0) yield command
  for (const child of command.commands) yield* leaves(child)
}

function pathOf(command: Command): string {
  const { parent } = command
  return parent === null || parent.parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`
}

function argumentsOf(command: Command): string {
  return command.registeredArguments
    .map((one) => {
      const name = one.variadic ? `${one.name()} …` : one.name()
      return one.required ? name : `[${name}]`
    })
    .join(' ')
}

function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version)
  throw new CommandFailed('the package.json of this package has no version.', exitCodes.defect)
}

/** `help payin get` is `payin get --help`, for whoever types that first. */
function helpCommand(program: Command): Command {
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

/** Puts the example of a command at the end of its help. */
function addExample(command: Command, program: string, example: string | undefined): void {
  if (example === undefined) return
  // Lines that are there already have left the empty line above them.
  const gap = command instanceof EventEmitter && command.listenerCount('afterHelp') > 0 ? '' : '\n'
  command.addHelpText('after', `${gap}Example: ${program} ${example}`)
}
