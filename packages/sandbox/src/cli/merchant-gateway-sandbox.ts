import type { CommandLine } from '../../../cli/src/program.js'
import { callbackCommand } from './callback-send.js'
import { controlCommand } from './control.js'
import { listenCommand } from './listen/command.js'
import { rehearseCommand } from './rehearse/command.js'
import { sandboxCommand } from './sandbox.js'
import { triggerCommand } from './trigger/command.js'

/** What `merchant-gateway-sandbox` can do; without a command it serves a sandbox. */
export const merchantGatewaySandbox: CommandLine = {
  name: 'merchant-gateway-sandbox',
  description: 'The payment gateway on your desk: a sandbox, its page, and rehearsals of your application.',
  commands: (io) => [
    sandboxCommand(io),
    rehearseCommand(io),
    triggerCommand(io),
    listenCommand(io),
    callbackCommand(io),
    controlCommand(io),
  ],
  examples: {
    sandbox: 'sandbox --port 4000 --log',
    rehearse: 'rehearse --start "npm start" --act "./pay {n}"',
    'callback send': 'callback send --payin order-1 --times 2',
    trigger: 'trigger answer-lost --currency EUR',
    listen: 'listen --forward-to http://127.0.0.1:3000',
    control: 'control GET /payments',
    help: 'help control',
  },
  example: '--port 4000 --log',
  byDefault: 'sandbox',
  ownPages: [],
}
