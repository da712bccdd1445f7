#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { CommanderError } from 'commander'
import { isGatewayError } from 'merchant-gateway'
import { program } from './cli/program.js'
import { visible, whyOf } from './text.js'

const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const version = String(Reflect.get(Object(manifest), 'version'))

try {
  const args = process.argv.slice(2)
  await program(version).parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' })
} catch (error) {
  // commander has said what was wrong, or printed the help that was asked for.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else {
    const isDefect = !isGatewayError(error)
    const defect = isDefect ? 'this is a defect of merchant-gateway-signer, please report it: ' : ''
    process.stderr.write(`error: ${defect}${visible(whyOf(error))}\n`)
    process.exitCode = isDefect ? 70 : 2
  }
}
