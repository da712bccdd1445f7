import { describe, expect, test } from 'vitest'
import { runHere } from './here.js'

const others =
  'sandbox, rehearse, keygen, doctor, learn, token inspect, payin get, payout get, payouts send, payouts resume, payouts status, payouts refused, payouts report, balances, books close, explain, callback send, trigger, listen, control, help'

async function exampleOf(command: string): Promise<{ help: string; example: string }> {
  const { stdout } = await runHere([...command.split(' '), '--help'])
  const example = /^Example: merchant-gateway(?:-sandbox)? (.*)$/m.exec(
    stdout.trimEnd().replaceAll('\\\n  ', ''),
  )?.[1]
  return { help: stdout, example: example ?? '' }
}

describe.each(others.split(', '))('the help of %s', (command) => {
  test('ends with an example of it that names only options it has', async () => {
    const { help, example } = await exampleOf(command)
    expect(`${example} `).toMatch(new RegExp(`^${command} `))
    for (const option of example.match(/--[a-z-]+/g) ?? []) expect(help).toContain(option)
  })
})
