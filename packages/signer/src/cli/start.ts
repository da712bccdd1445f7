import type { KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { credentialOf, privateKeyIn, problemWith } from '../../../cli/src/doctor/settings.js'
import { CommandFailed } from '../../../cli/src/exit-codes.js'
import type { Environment, Io } from '../../../cli/src/io.js'
import { profileIn } from '../../../cli/src/profile-in.js'
import { countOf, printable } from '../../../cli/src/text.js'
import { createSigner, type ListenOptions, listen } from '../index.js'
import { logOf, policyIn } from './policy-file.js'

/** What stands on the line of arguments. */
export interface StartOptions {
  readonly policy: string
  readonly socket?: string
  readonly group?: true
  readonly port?: number
  readonly log?: string
  readonly profile?: string
  readonly acceptUnkeptLimits?: true
}

/** Signs until the process is ended. */
export async function startSigner(options: StartOptions, io: Io): Promise<void> {
  // It signs twenty times a second at most. To optimise code for that wins nothing, and makes the slowest answers about a
  // tenth slower.
  setFlagsFromString('--no-opt')
  const { policy: file, log = logOf(file), acceptUnkeptLimits } = options
  const { profile = io.env.GATEWAY_PROFILE ?? '' } = options
  const policy = policyIn(file)
  const where = placeOf(options, io.env)
  const signer = await createSigner(policy, {
    key: keyOf(io.env),
    log,
    profile: profile === '' ? undefined : profileIn(profile, '--profile'),
    unkeptLimits: acceptUnkeptLimits === true ? 'accept' : 'refuse',
  })
  try {
    const server = await listen(signer, where)
    const place = 'socket' in where ? where.socket : `127.0.0.1:${where.port}`
    io.out(printable(`signs at ${place} by ${file}`))
    io.out(`log: ${printable(log)}, ${countOf(signer.head.lines, 'line')}, the last one ${signer.head.hash}`)
    if (signer.head.lines === 1)
      io.note(
        'the log is new: payouts that were signed for before do not count. If there were any, end this.',
      )
    for (const needed of [policy.ids, policy.approvals?.file]) {
      if (needed !== undefined && !existsSync(needed))
        io.note(`${printable(needed)} is not there: payouts that need it are refused until it is.`)
    }
    const exitCode = await io.untilInterrupted()
    await server.close()
    io.finish(exitCode)
  } finally {
    await signer.close()
  }
}

function placeOf({ socket, group, port }: StartOptions, env: Environment): ListenOptions {
  if ((socket === undefined) === (port === undefined))
    throw new CommandFailed('give either --socket or --port.')
  if (socket !== undefined) return { socket, mode: group === true ? 0o660 : 0o600 }
  const { GATEWAY_SIGNER_TOKEN: token = '' } = env
  if (token === '') throw new CommandFailed('--port needs GATEWAY_SIGNER_TOKEN, which clients have to show.')
  return { port: port ?? 0, token }
}

function keyOf(env: Environment): KeyObject {
  const problem = problemWith('signer', env)
  const parsed = credentialOf(env) === 'key' && problem === undefined ? privateKeyIn(env) : undefined
  if (parsed !== undefined) return parsed
  throw new CommandFailed(problem ?? 'a signer needs the private key: set GATEWAY_PRIVATE_KEY_FILE.')
}
