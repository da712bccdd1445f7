import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSandbox, type SandboxOptions } from '../../../packages/sandbox/src/index.js'
import { isGatewayError } from '../../../src/client/errors.js'
import { money } from '../../../src/client/schemas/money.js'
import { GatewayClient } from '../../../src/index.js'
import { closedAddress } from '../../support/listening.js'
import { environmentOf } from '../../support/merchant-environment.js'
import { type RunOptions, run } from './run.js'
import { authorityPem, tlsInFrontOf } from './tls.js'
import type { Runtime } from './tools.js'

type Environment = Readonly<Record<string, string>>

/** What was seen, and what is seen where everything works. */
export interface Probe {
  readonly seen: unknown
  readonly wanted: unknown
}

/** A program, the arguments in front of its file included. */
export interface Program {
  readonly command: readonly string[]
  readonly cwd: string
}

/** Takes a payin from a sandbox in this process, its callback, and a line of the log; nothing may be left that keeps the program. */
export async function takePayin({ command, cwd }: Program, env?: Environment): Promise<Probe> {
  await using sandbox = createSandbox({ payAfterMs: false })
  const { url } = await sandbox.listen()
  await using tls = env && (await tlsInFrontOf(url))
  let id = ''
  const seen = await run(command, {
    cwd,
    env: {
      ...environmentOf(sandbox),
      ...(tls && { GATEWAY_BASE_URL: tls.url }),
      ...env,
      GATEWAY_CALLBACK_SECRET: 'a-secret-of-32-bytes-for-this-test',
    },
    onLine: (line) => {
      if (!line.startsWith('created ')) return
      id = line.slice('created '.length)
      sandbox.payins.get(id).pay()
    },
  })
  return { seen, wanted: good(`created ${id}\npaid ${id} SUCCESS\ncalled ${id}\nlogged true\n`) }
}

/** Over TLS: a payin where the certificate is trusted, and nothing sent where it is not. */
export async function useTls(trusting: Program, doubting: Program): Promise<Probe> {
  const file = join(await mkdtemp(join(trusting.cwd, 'authority-')), 'ca.pem')
  await writeFile(file, authorityPem)
  const trusted = await takePayin(trusting, { NODE_EXTRA_CA_CERTS: file })
  await using sandbox = createSandbox(unlimited)
  const { url } = await sandbox.listen()
  await using tls = await tlsInFrontOf(url)
  const { command, cwd } = doubting
  const env = { ...environmentOf(sandbox), GATEWAY_BASE_URL: tls.url }
  const doubted = await run([...command, await closedAddress(), '10'], { cwd, env })
  const refused = good('10 connection not-accepted\nnobody connection not-accepted\n')
  return {
    seen: { trusted: trusted.seen, doubted, requests: sandbox.requests.length },
    wanted: { trusted: trusted.wanted, doubted: refused, requests: 0 },
  }
}

/** Magic amounts, and what a payout of that amount comes to without retries; a 429 is none. */
const losses = {
  '5001': 'connection unknown',
  '5002': 'connection unknown',
  '5004': 'server unknown',
  '5005': 'timeout unknown',
  '5006': 'connection unknown',
  '5008': 'timeout unknown',
  '5009': 'server unknown',
  '5011': 'accepted',
  '10': 'accepted',
} as const

/** Whether `outcome` says on this runtime what it says on Node. */
export async function loseAnswers({ command, cwd }: Program): Promise<Probe> {
  await using sandbox = createSandbox(unlimited)
  await sandbox.listen()
  const args = [await closedAddress(), ...Object.keys(losses)]
  const seen = await run([...command, ...args], { cwd, env: environmentOf(sandbox) })
  const lines = Object.entries({ ...losses, nobody: 'connection not-accepted' })
  return { seen, wanted: good(`${lines.map((line) => line.join(' ')).join('\n')}\n`) }
}

const unlimited: SandboxOptions = { rateLimit: false, payAfterMs: false }

/** Serves the sandbox from this runtime to a client in this process, and ends it as Ctrl-C does. */
export async function serveSandbox(command: readonly string[], cwd: string): Promise<Probe> {
  let use: Promise<unknown> = Promise.resolve('it did not start')
  const env = { TMPDIR: await mkdtemp(join(cwd, 'sandbox-')) }
  const onLine: RunOptions['onLine'] = (line, end) => {
    use = useSandbox(line)
      .catch(String)
      .finally(() => end('SIGINT'))
  }
  const { code, stderr } = await run([...command, 'sandbox', '--json', '--port', '0'], { cwd, env, onLine })
  return {
    seen: { code, stderr, used: await use },
    wanted: {
      code: 0,
      stderr: 'The sandbox has ended.\n',
      used: { lost: 'unknown', again: true, status: 'SUCCESS' },
    },
  }
}

/** A payout of which the first response is lost, and a payin that is paid at once. */
async function useSandbox(line: string): Promise<unknown> {
  const served: Record<'baseUrl' | 'merchantCode' | 'privateKeyFile', string> = JSON.parse(line)
  const { baseUrl: GATEWAY_BASE_URL, merchantCode: GATEWAY_MERCHANT_CODE } = served
  const variables = {
    GATEWAY_BASE_URL,
    GATEWAY_MERCHANT_CODE,
    GATEWAY_PRIVATE_KEY_FILE: served.privateKeyFile,
  }
  await using client = GatewayClient.fromEnv({ retries: 0 }, variables)
  const payout = {
    idPayout: 'order-1',
    paymentRequested: { money: money('5001', 'EUR') },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '1' } },
  }
  const lost = await client.payouts
    .create(payout)
    .catch((error) => (isGatewayError(error) ? error.outcome : String(error)))
  const { replayed } = await client.payouts.create(payout)
  const { idPayin } = await client.payins.create({
    paymentRequested: { money: money('4005', 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  })
  const { process } = await client.payins.waitFor(idPayin, { maxWaitMs: 30_000 })
  return { lost, again: replayed, status: process?.status }
}

/** The command tells its version and makes a key that signs. */
export async function useCommand(command: readonly string[], cwd: string, version: string): Promise<Probe> {
  const folder = await mkdtemp(join(cwd, 'keys-'))
  const told = await run([...command, '--version'], { cwd })
  const made = await run([...command, 'keygen', '--out', folder, '--json'], { cwd })
  const { bits }: { bits?: number } = made.code === 0 ? JSON.parse(made.stdout) : {}
  return {
    seen: { told, made: { ...made, stdout: bits } },
    wanted: { told: good(`${version}\n`), made: { code: 0, stdout: 2048, stderr: '' } },
  }
}

export function program(runtime: Runtime, cwd: string, file: string): Program {
  return { command: [...runtime.command, file], cwd }
}

function good(stdout: string) {
  return { code: 0, stdout, stderr: '' }
}
