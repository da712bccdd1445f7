import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { hideArguments } from './arguments.js'
import { doctorCommand } from './doctor/command.js'
import { CommandFailed, failureOf } from './exit-codes.js'
import { environmentPage } from './gateway-call.js'
import { type Io, printError, printJson } from './io.js'
import { keygenCommand } from './keygen.js'
import { payoutsCommand } from './payouts/command.js'
import { balancesCommand, paymentCommand } from './questions.js'
import { reconcileCommand } from './reconcile/command.js'
import { coloured, hasColours, paragraph, printable } from './text.js'

export const name = 'merchant-gateway'

/** Runs a command, and sets the exit code of how it went. Never rejects. */
export async function run(args: readonly string[], io: Io): Promise<void> {
  // Also where the line of arguments is otherwise wrong.
  const json = args.includes('--json')
  const said: string[] = []
  try {
    await programOf(io, said, args).parseAsync(withHelp(args), { from: 'user' })
  } catch (error) {
    const isCommanders = error instanceof CommanderError
    // The help that was asked for.
    if (isCommanders && error.exitCode === 0) return
    const failure = failureOf(
      isCommanders ? new CommandFailed(said.join(' ').replace(/^error: /, '')) : error,
    )
    if (json) printJson(io, { error: failure })
    else {
      for (const { line, reason } of failure.problems ?? []) io.note(reason, `line ${line}: `)
      printError(io, failure.message)
    }
    io.finish(failure.exitCode)
  }
}

/** Whoever types a command or a group of commands alone is shown what there is. */
function withHelp(args: readonly string[]): readonly string[] {
  return ['', 'payin', 'payout', 'payouts'].includes(args.join(' ')) ? [...args, '--help'] : args
}

/** The examples of the help, by the words of the command. */
export const examples: Readonly<Record<string, string>> = {
  keygen: 'keygen --out keys',
  doctor: 'doctor --json',
  'payin get': 'payin get order-1',
  'payout get': 'payout get refund-1',
  'payouts send': 'payouts send payouts.csv --write-ids',
  'payouts status': 'payouts status payouts.csv',
  'payouts refused': 'payouts refused payouts.csv',
  'payouts report': 'payouts report payouts.csv',
  balances: 'balances EUR USD',
  reconcile: 'reconcile --opening day-1.json --payments day-2.csv',
  help: 'help payin get',
}

/** @param said takes what commander says of wrong usage. */
function programOf(io: Io, said: string[], args: readonly string[]): Command {
  const program = new Command(name)
    .description('Keys, checks and status requests at the payment gateway, and files of payouts.')
    .version(manifest.version, '-V, --version', 'print the version')
    .usage('COMMAND [options]')
  const commands = [
    keygenCommand(io),
    doctorCommand(io),
    paymentCommand('payin', io),
    paymentCommand('payout', io),
    payoutsCommand(io),
    balancesCommand(io),
    reconcileCommand(io),
    helpCommand(program, io),
  ]
  for (const command of commands) program.addCommand(command)
  program.helpCommand(false).addHelpText('after', below(io, epilogue))
  for (const command of everyCommand(program)) {
    shape(command, io, said, args)
    const example = examples[pathOf(command)]
    if (example !== undefined) command.addHelpText('after', below(io, `Example: ${name} ${example}`))
  }
  program.configureHelp({
    ...helpStyle,
    // The two that every program has would keep a command off the screen.
    visibleOptions: () => [],
    // What can be run, and not what it is grouped under; those of files of payouts have a page of their own.
    visibleCommands: () => commands.flatMap((one) => (one.commands.length === 1 ? [...one.commands] : [one])),
  })
  return program
}

const epilogue = `help COMMAND says more; help environment lists variables; -V prints the version.
Example: ${name} doctor
Exit codes: 0 done, 1 refused, 2 wrong usage or settings, 3 no response.`

/** Below a help, at its width. */
function below({ columns }: Io, text: string): string {
  const lines = text.split('\n').map((line) => {
    const [head = ''] = /^(?: +|Example: |Exit codes: )/.exec(line) ?? []
    return paragraph(line.slice(head.length), head, columns)
  })
  return ['', ...lines].join('\n')
}

const helpStyle = {
  showGlobalOptions: false,
  // Also beside the names of options, at 60 columns.
  minWidthToWrap: 20,
  subcommandTerm(command: Command) {
    const words = command.usage().replace(/^COMMAND|\[(?:options|command)\]|[<>]/g, '')
    return `${pathOf(command)} ${words.replace('...', ' …').trim()}`.trimEnd()
  },
  styleTitle: (title: string) => coloured('bold', title),
}

/** The same ways for every command: errors come here, and help is no wider than a page. */
function shape(command: Command, io: Io, said: string[], args: readonly string[]): void {
  command
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'print this')
    .configureHelp(helpStyle)
    .configureOutput({
      writeOut: (text) => io.raw(text.trimEnd()),
      outputError: (text) => {
        const typed = args.filter((arg) => arg !== command.name())
        const shown = hideArguments(text, typed).trimEnd().split('\n').map(printable).join(' ')
        const help =
          command.parent === null
            ? 'help" lists the commands'
            : `help ${pathOf(command)}" says how it is used`
        // Unless commander has said what is right: a whole sentence, or "Did you mean".
        said.push(/[.)]$/.test(shown) ? shown : `${shown}; "${name} ${help}.`)
      },
      getOutHelpWidth: () => io.columns,
      getOutHasColors: () => hasColours(process.stdout),
    })
}

function* everyCommand(command: Command): Generator<Command> {
  yield command
  for (const child of command.commands) yield* everyCommand(child)
}

function pathOf(command: Command): string {
  const { parent } = command
  return parent === null || parent.parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`
}

/** `help payin get` is `payin get --help`, for whoever types that first. */
function helpCommand(program: Command, io: Io): Command {
  return new Command('help')
    .description('Print how a command is used.')
    .argument('[COMMAND...]', 'such as payin get (default: all commands)')
    .action((words: string[]) => {
      if (words.join() === 'environment') return io.raw(below(io, environmentPage).trimStart())
      let found = program
      for (const word of words) {
        const next = found.commands.find((child) => child.name() === word)
        // What was typed is not repeated: it may be a token that was pasted into the wrong place.
        if (next === undefined) throw new CommandFailed(`there is no such command; "${name} help" lists all.`)
        found = next
      }
      found.help()
    })
}
