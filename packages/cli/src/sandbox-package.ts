import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Command } from 'commander'
import { CommandFailed } from './exit-codes.js'

/** The commands of `merchant-gateway-sandbox`, which began here. */
const names = ['sandbox', 'rehearse', 'trigger', 'listen']

/** Whether a command line asks for a command of the sandbox's package, or for its help. */
export function isOfSandbox([first = '', second = '']: readonly string[]): boolean {
  return names.includes(first === 'help' ? second : first)
}

/** The command of the sandbox's package, as it is installed where this process runs or beside this package. */
export function sandboxCommandFile(): URL | undefined {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      const manifest = createRequire(from).resolve('merchant-gateway-sandbox/package.json')
      return pathToFileURL(join(manifest, '../dist/bin.js'))
    } catch {
      // Not installed there.
    }
  }
  return undefined
}

/** Commands that say what to install, for where the sandbox's package is not. */
export function movedCommands(): Command[] {
  return names.map((name) =>
    new Command(name)
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw new CommandFailed(
          `"${name}" is in a package of its own: "npm install -D merchant-gateway-sandbox" installs it, and "npx merchant-gateway-sandbox" runs it.`,
        )
      }),
  )
}
