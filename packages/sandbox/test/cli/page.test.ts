import { execFile } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { GatewayClient } from 'merchant-gateway'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../../../test/support/listening.js'
import { environmentOf } from '../../../../test/support/merchant-environment.js'
import { root } from '../../../../test/support/root.js'
import { builtFromSources } from '../../../cli/test/binary.js'
import { temporaryFolder } from '../../../cli/test/support.js'
import { createSandbox } from '../../src/index.js'
import { start } from './here.js'

const folder = temporaryFolder()
const page = ['command-line', 'doctor', 'payouts', 'sandbox-command']
  .map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8'))
  .join('\n')

/** Commands of the page with the output below each; those that print help are another test's. */
const examples = [...page.matchAll(/^```text\n([\s\S]*?)\n```$/gm)]
  .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
  .map((example) => {
    const [command = '', ...lines] = example.trimEnd().split('\n')
    return { command, output: lines.join('\n') }
  })
  .filter(({ command }) => !command.endsWith('--help'))

/** What differs from run to run and from machine to machine. */
function masked(output: string): string {
  return output
    .trimEnd()
    .replace(/\/\S*\/(?:merchant-gateway-\w{6}|\.merchant-gateway-sandbox)/g, '<folder>')
    .replace(/\b[0-9a-f]{32,}\b/g, '<hex>')
    .replace(/\((?:in [^)]*|[^)]* ago)\)/g, '(<span>)')
    .replace(/\d[\d.]* (?:ms|s)\b/g, '<span>')
    .replace(/\d+/g, '<n>')
}

const sandbox = createSandbox({ rateLimit: false, payAfterMs: 0, deliver: async () => ({ status: 204 }) })
const handler = createServer((_, response) => response.writeHead(204).end())
const env: Record<string, string> = {}

beforeAll(async () => {
  await sandbox.listen({ page: true })
  env.CALLBACK_URL = `http://127.0.0.1:${await listen(handler)}/callbacks`
  await using client = new GatewayClient(sandbox.clientOptions())
  const paymentRequested = { money: { amount: 10.5, currencyCode: 'EUR' } }
  const shared = {
    paymentOperatorCode: 'HARBOUR',
    account: { accountName: 'Jana', accountNumber: '000123-4' },
  }
  await client.payins.create({
    idPayin: 'order-1',
    paymentRequested,
    paymentMethod: { paymentMethodCode: 'VAPAY', ...shared },
  })
  await client.payouts.create({
    idPayout: 'refund-1',
    paymentRequested,
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', ...shared },
  })
  await client.payins.waitFor('order-1', { maxWaitMs: 10_000 })
  await client.payouts.waitFor('refund-1', { maxWaitMs: 10_000 })
  const { token } = await client.authTokens.create({ operations: ['GET /payins/order-1'] })
  Object.assign(env, environmentOf(sandbox), {
    TOKEN: token.reveal(),
    GATEWAY_CALLBACK_SECRET: 'a-secret-of-32-bytes-or-more-0123456789',
    GATEWAY_CALLBACK_URL: env.CALLBACK_URL,
  })
})
afterAll(async () => {
  handler.close()
  await sandbox.close()
})

/** The file of the page's example. */
const payouts = `idPayout,amount,currencyCode,paymentMethodCode,accountName,accountNumber
w-1,10.00,EUR,BANK_TRANSFER,Jana Example,000123-0123456789
w-2,25.00,EUR,BANK_TRANSFER,Jana Example,000123-0123456789
w-3,250.00,CZK,BANK_TRANSFER,Jana Example,000123-0123456789
`

/** Runs a line of the page in a shell that finds the command as npm links it. */
function inShell(line: string): Promise<string> {
  for (const [name, packageFolder, entry] of [
    ['merchant-gateway', 'packages/cli', 'src/bin.ts'],
    ['merchant-gateway-sandbox', 'packages/sandbox', 'src/cli/index.ts'],
  ] as const) {
    const binary = builtFromSources(packageFolder, entry)
    chmodSync(binary, 0o755)
    const link = join(folder.path, name)
    if (!existsSync(link)) symlinkSync(binary, link)
  }
  writeFileSync(join(folder.path, 'payouts.csv'), payouts)
  const { PATH = '' } = process.env
  const path = [folder.path, dirname(process.execPath), PATH].join(':')
  return new Promise((resolve) => {
    // A command that fails still prints what the page shows.
    execFile(
      '/bin/sh',
      ['-c', `{ ${line}; } 2>&1`],
      { cwd: folder.path, env: { ...env, PATH: path } },
      (_, stdout, stderr) => resolve(stdout + stderr),
    )
  })
}

describe('the page shows what is printed by', () => {
  test('an example of every command', () => {
    const commands = examples.map(
      ({ command }) =>
        /merchant-gateway(?:-sandbox)?(?: ((?:payin |payout |payouts )?\w+))?/.exec(command)?.[1],
    )
    expect(new Set(commands)).toEqual(
      new Set([
        // That of the sandbox's package alone.
        undefined,
        'keygen',
        'doctor',
        'payin get',
        'payout get',
        'payouts send',
        'balances',
        'listen',
      ]),
    )
  })

  // Those two go on until Ctrl-C.
  test.each(examples.filter(({ command }) => !/-sandbox$| listen /.test(command)))(
    '$command',
    async ({ command, output }) => {
      expect(masked(await inShell(command))).toBe(masked(output))
    },
  )

  test('merchant-gateway-sandbox', async () => {
    const running = start(['sandbox', '--port', '0'])
    await running.until('Ctrl-C')
    const { stdout } = await running.end()
    expect(masked(stdout)).toBe(
      masked(examples.find(({ command }) => command.endsWith('-sandbox'))?.output ?? ''),
    )
  })
})
