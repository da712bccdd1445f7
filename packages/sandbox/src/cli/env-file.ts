import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { CommandFailed, withFile } from './failure.js'
import { ownKeyNote, type Served, variablesOf } from './served.js'

const head = '# Written by merchant-gateway-sandbox, which writes it anew at each start.'

/**
 * Writes what `node --env-file` reads.
 *
 * @throws {CommandFailed} when the file holds anything else: the settings of a real gateway may be in it
 */
export function writeEnvFile(file: string, served: Served): void {
  withFile(file, () => {
    if (existsSync(file) && !readFileSync(file, 'utf8').startsWith(head)) {
      throw new CommandFailed(
        `${file} is there already and was not written by the sandbox. Name another file, such as .env.sandbox.`,
      )
    }
    const lines = variablesOf(served).map(([name, value]) => `${name}=${quoted(value)}`)
    const note = served.privateKeyFile === undefined ? [ownKeyNote] : []
    writeFileSync(file, [head, ...lines, ...note, ''].join('\n'))
  })
}

/** The file has no escapes: a value stands in quotes that it does not hold. */
function quoted(value: string): string {
  if (/^[\w@%+=:,./-]+$/.test(value)) return value
  const quote = ["'", '`', '"'].find((one) => !value.includes(one))
  if (quote !== undefined && !/[\r\n]/.test(value)) return quote + value + quote
  throw new CommandFailed('A value holds quotes or lines that no such file can hold.')
}
