import { describe, expect, test } from 'vitest'
import { controls } from '../../sandbox/src/cli/control/controls.js'
import type { Control, ControlGroup } from '../../sandbox/src/cli/control/spec.js'
import { runHere } from './here.js'

const nobody = 'http://127.0.0.1:1'

function commandsOf(group: ControlGroup, before = ''): string[] {
  const path = `${before}${group.name}`
  return group.controls.flatMap((one: Control | ControlGroup) =>
    'order' in one ? [`${path} ${one.name}`] : commandsOf(one, `${path} `),
  )
}

const others =
  'sandbox, rehearse, keygen, doctor, learn, token inspect, payin get, payout get, payouts send, payouts resume, payouts status, payouts refused, payouts report, balances, callback send, trigger, listen, help'

async function exampleOf(command: string): Promise<{ help: string; example: string }> {
  const { stdout } = await runHere([...command.split(' '), '--help'])
  const example = /^Example: merchant-gateway(?:-sandbox)? (.*)$/m.exec(
    stdout.trimEnd().replaceAll('\\\n  ', ''),
  )?.[1]
  return { help: stdout, example: example ?? '' }
}

describe.each([...others.split(', '), ...commandsOf(controls)])('the help of %s', (command) => {
  test('ends with an example of it that names only options it has', async () => {
    const { help, example } = await exampleOf(command)
    expect(`${example} `).toMatch(new RegExp(`^${command} `))
    for (const option of example.match(/--[a-z-]+/g) ?? []) expect(help).toContain(option)
  })
})

test.each(commandsOf(controls))('the example of %s is understood', async (command) => {
  const { example } = await exampleOf(command)
  const args = example.split(' ').filter((word) => !word.startsWith('http:') && word !== '--sandbox')
  expect(await runHere([...args, '--sandbox', nobody])).toMatchObject({ code: 3 })
})
