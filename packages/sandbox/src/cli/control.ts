import { Command, InvalidArgumentError } from 'commander'
import { jsonOf } from '../../../../src/client/input/json.js'
import { wholeNumber } from '../../../cli/src/arguments.js'
import { CommandFailed, exitCodes } from '../../../cli/src/exit-codes.js'
import type { Io } from '../../../cli/src/io.js'
import { jsonLine, printable } from '../../../cli/src/text.js'
import { httpUrl } from '../../../cli/src/urls.js'
import { type ControlMethod, requestControl, sandboxAddress } from './sandbox-control.js'

interface ControlOptions {
  readonly body?: unknown
  readonly timeout: number
  readonly sandbox?: URL
  readonly json?: true
}

/** One request to the API of a running sandbox's page; what it answers is printed as JSON. */
export function controlCommand(io: Io): Command {
  return new Command('control')
    .description('See and steer a running sandbox.')
    .argument('<METHOD>', 'GET, POST or DELETE', methodOf)
    .argument('<PATH>', 'such as /payments, or "/payments?search=FAILED"', pathOf)
    .option('--body <JSON>', 'what is sent with a POST', bodyOf)
    .option('--timeout <SECS>', 'how long the answer may take', wholeNumber(1, 3600), 30)
    .option('--sandbox <URL>', 'the sandbox (default: GATEWAY_BASE_URL)', httpUrl)
    .option('--json', 'print one line of JSON')
    .addHelpText('after', help)
    .action((method: ControlMethod, path: string, options: ControlOptions) =>
      control(method, path, options, io),
    )
}

const help = `
GET     /state /payments /payments/payin/ID /requests /requests/NUMBER
        /deliveries /faults /idle
POST    /create /payments/payin/ID/settle /payments/payin/ID/callback
        /requests/NUMBER/resend /faults /clock /limiter /balances /reset
DELETE  /faults /faults/KEY /tokens /requests`

async function control(method: ControlMethod, path: string, options: ControlOptions, io: Io): Promise<void> {
  const { body, timeout, json } = options
  if (method !== 'POST' && body !== undefined) throw new CommandFailed('--body goes with POST.')
  const sandbox = sandboxAddress(options.sandbox, io.env)
  // A POST without a body is one with an empty object.
  const content = method === 'POST' ? { body: body ?? {} } : {}
  const answer = await requestControl(sandbox, { method, path, ...content, timeoutMs: timeout * 1000 })
  if (json === true) io.out(jsonLine(answer))
  else for (const line of JSON.stringify(answer ?? null, undefined, 2).split('\n')) io.out(printable(line))
  io.finish(exitCodes.ok)
}

function methodOf(text: string): ControlMethod {
  const method = text.toUpperCase()
  if (method === 'GET' || method === 'POST' || method === 'DELETE') return method
  throw new InvalidArgumentError('It must be GET, POST or DELETE.')
}

/** The path below the API, without the slash that it begins with. */
function pathOf(text: string): string {
  const root = 'http://sandbox/_sandbox/api/'
  const path = text.replace(/^\//, '')
  const { href } = new URL(root + path)
  if (path !== '' && href.startsWith(root)) return href.slice(root.length)
  throw new InvalidArgumentError('It must be a path such as /payments.')
}

function bodyOf(text: string): unknown {
  const value = jsonOf(text)
  if (value !== undefined) return value
  throw new InvalidArgumentError('It must be JSON such as {"status":"SUCCESS"}.')
}
