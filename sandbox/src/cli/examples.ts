/** What somebody may type who has read no more than the help, by the words of the command. */
export const examples: Readonly<Record<string, string>> = {
  sandbox: 'sandbox --port 4000 --log',
  rehearse: 'rehearse --start "npm start" --act "./pay {n}"',
  'callback send': 'callback send --payin order-1 --times 2',
  trigger: 'trigger answer-lost --currency EUR',
  listen: 'listen --forward-to http://127.0.0.1:3000',
  control: 'control GET /payments',
  help: 'help control',
}
