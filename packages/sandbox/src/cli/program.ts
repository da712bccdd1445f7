import { Command, CommanderError } from 'commander'
import { ownVersion } from '../version.js'
import { CommandFailed, exitCodes, failureOf } from './failure.js'
import type { Io } from './io.js'
import { listenCommand } from './listen/command.js'
import { rehearseCommand } from './rehearse/command.js'
import { serveCommand } from './serve.js'
import { jsonLine, painter, printable, wrapped } from './text.js'

const name = 'merchant-gateway-sandbox'
const widest = 100

/** What somebody may type who has read no more than the help, by the command. */
export const examples = {
  sandbox: 'sandbox --port 4000 --log',
  rehearse: 'rehearse --start ./shop --action "./pay {n}"',
  listen: 'listen --forward-to http://127.0.0.1:3000',
}

const epilogue = [
  'help COMMAND says more, with an example; -V prints the version.',
  `Example: ${name} --port 4000 --log`,
  'Exit codes: 0 done, 1 refused, 2 wrong usage or settings, 3 no response.',
]

/** Runs what was asked for, and sets the exit code of how it went. Never rejects. */
export async function run(args: readonly string[], io: Io): Promise<void> {
  const json = args.includes('--json')
  const said: string[] = []
  try {
    await programOf(io, (text) => said.push(text), args).parseAsync(withDefault(withHelpOption(args)), {
      from: 'user',
    })
  } catch (error) {
    const isCommanders = error instanceof CommanderError
    // The help that was asked for.
    if (isCommanders && error.exitCode === 0) return io.finish(exitCodes.ok)
    const usage = {
      code: 'usage',
      message: said.join(' ').replace(/^error: /, ''),
      exitCode: exitCodes.usage,
    }
    const failure = isCommanders ? usage : failureOf(error)
    if (json) io.out(jsonLine({ error: failure }))
    else for (const line of errorLines(failure.message, io)) io.note(line)
    io.finish(failure.exitCode)
  }
}

/** What happened, and below it what to do. */
function errorLines(message: string, { colours, errorColumns }: Io): string[] {
  const indent = 'error: '
  const columns = Math.min(widest, errorColumns)
  const [what = '', ...fix] = printable(message).split(/(?<=\.) (?=[A-Z"])/)
  const parts = [
    `${indent}${what}`,
    ...(fix.length === 0 ? [] : [`${' '.repeat(indent.length)}${fix.join(' ')}`]),
  ]
  const lines = parts.flatMap((part) =>
    errorColumns === Number.POSITIVE_INFINITY ? [part] : wrapped(part, columns, indent.length),
  )
  return lines.map((line) => line.replace(/^error:/, painter(colours.err)('red', 'error:')))
}

/** Without its arguments, a command that needs some prints its help. */
function withHelpOption(args: readonly string[]): readonly string[] {
  return args.join(' ') === 'listen' ? [...args, '--help'] : args
}

/** Options alone are those of `sandbox`. A first word that is no command is a mistyped one. */
function withDefault(args: readonly string[]): string[] {
  const [first = '-'] = args
  const isOption = first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first)
  return isOption ? ['sandbox', ...args] : [...args]
}

function programOf(io: Io, say: (text: string) => void, args: readonly string[]): Command {
  const program = new Command(name)
    .description('The payment gateway on your desk: a sandbox, its page, and rehearsals of your application.')
    .version(ownVersion(), '-V, --version', 'print the version')
    .usage('COMMAND [options]')
    .addHelpText('after', below(epilogue, io))
  const commands = [serveCommand(io), rehearseCommand(io), listenCommand(io)]
  for (const command of [...commands, helpCommand(program)]) program.addCommand(command)
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .helpCommand(false)
      .helpOption('-h, --help', 'print this')
      .configureHelp({
        // Also beside the names of options, at 60 columns.
        minWidthToWrap: 20,
        styleTitle: (title) => painter(true)('bold', title),
        subcommandTerm: termOf,
        // The two that every program has would keep a command off the screen.
        ...(command === program && { visibleOptions: () => [] }),
      })
      .configureOutput({
        writeOut: (text) => io.out(text.trimEnd()),
        writeErr: (text) => say(text.trimEnd()),
        outputError: (text, write) => write(withHelp(hideArguments(text.trim(), args), command)),
        getOutHelpWidth: () => Math.min(widest, io.columns),
        getErrHelpWidth: () => Math.min(widest, io.columns),
        getOutHasColors: () => io.colours.out,
        getErrHasColors: () => io.colours.err,
      })
  }
  for (const command of commands) {
    const [, example] = Object.entries(examples).find(([one]) => one === command.name()) ?? []
    command.addHelpText('after', below([...(notes[command.name()] ?? []), `Example: ${name} ${example}`], io))
  }
  return program
}

/** What of a command's help stands below its options, a paragraph each. */
const notes: Readonly<Record<string, readonly string[]>> = {
  listen: [
    "Scheme, host and port of each callbackUrl become those of --forward-to; path and query stay, since they name the payment. The sandbox takes your handler's response for the response to the callback. While nobody listens, it delivers by itself.",
  ],
  rehearse: [
    'Also --list (cases), --first N (order), --port N, --host NAME, and with a FILE --public-key (yours), --options, --junit, --app-log.',
  ],
}

function below(paragraphs: readonly string[], { columns }: Io): string {
  const lines = paragraphs.flatMap((one) => {
    return wrapped(one, Math.min(widest, columns), one.startsWith('Example: ') ? 2 : 0)
  })
  return ['', ...lines].join('\n')
}

function termOf(command: Command): string {
  const names = command.registeredArguments.map((one) => (one.required ? one.name() : `[${one.name()}]`))
  return [command.name(), ...names].join(' ')
}

/** Where to look, unless commander has said what is right instead: a whole sentence, or "Did you mean". */
function withHelp(text: string, command: Command): string {
  const said = text.split('\n').map(printable).join(' ')
  if (/[.)]$/.test(said)) return said
  const help =
    command.parent === null ? 'help" lists the commands' : `help ${command.name()}" says how it is used`
  return `${said}. "${name} ${help}.`
}

/** `help listen` is `listen --help`, for whoever types that first. */
function helpCommand(program: Command): Command {
  return new Command('help')
    .description('Print how a command is used.')
    .argument('[COMMAND]', 'such as listen (default: all commands)')
    .action((wanted: string | undefined) => {
      const found = program.commands.find((command) => command.name() === wanted)
      if (wanted === undefined) program.help()
      // What was typed is not repeated: it may be a token that was pasted into the wrong place.
      if (found === undefined) throw new CommandFailed(`there is no such command. "${name} help" lists all.`)
      found.help()
    })
}

const mask = '[redacted]'

/** What commander says of wrong usage, without arguments that may be a key, a secret or somebody's account. */
function hideArguments(text: string, args: readonly string[]): string {
  return args
    .flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)])
    .filter((value) => value !== '' && !isHarmless(value))
    .sort((a, b) => b.length - a.length)
    .reduce((shown, value) => shown.replaceAll(`'${value}'`, `'${mask}'`), text)
    .replace(/eyJ[\w.-]{8,}/g, mask)
}

/** What is short, and neither long digits nor letters and digits in one long row. */
function isHarmless(value: string): boolean {
  if (/^--?[a-z][a-z-]{0,20}$/i.test(value)) return true
  if (!/^[\w.,:/%+-]{1,20}$/.test(value) || /\d{7}/.test(value)) return false
  return !/(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{10}/i.test(value)
}
