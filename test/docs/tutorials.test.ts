import { expect, test } from 'vitest'
import { closedAddress } from '../support/listening.js'
import { guideOf } from './guides.js'
import { Session } from './session.js'

// The other tutorial is first-payin.test.ts's.

test('docs/first-payout.md can be walked after the first payin', { timeout: 120_000 }, async () => {
  const { blocks } = guideOf('first-payout.md')
  const { port } = new URL(await closedAddress())
  await using session = new Session()
  await session.run('npx merchant-gateway keygen --out keys')
  // Payouts are paid at once, so that looking one up shows the same every time.
  const options = `--port ${port} --public-key keys/public-key.pem --pay-after 0`
  const served = await session.run(`npx merchant-gateway-sandbox ${options}`)
  const exported = served.split('\n').filter((line) => line.startsWith('export '))
  await session.run([...exported, 'export GATEWAY_PRIVATE_KEY_FILE=keys/private-key.pem'].join('\n'))
  let printed = ''
  for (const { language, code } of blocks) {
    if (language === 'js') session.write('payout.mjs', code)
    else if (language === 'csv') session.write('wages.csv', code)
    else if (language === 'sh') printed = await session.run(code)
    else expect(steady(printed)).toBe(steady(code))
  }
})

test('docs/first-rehearsal.md finds the defect, and finds it gone', { timeout: 120_000 }, async () => {
  const { blocks } = guideOf('first-rehearsal.md')
  await using session = new Session()
  let printed = ''
  for (const { language, code } of blocks) {
    if (language === 'js') session.write('pay.mjs', code)
    // The last one is about a shop that isn't there.
    else if (language === 'sh' && !code.includes('npm start')) printed = await session.run(code)
    else if (language === 'text') expect(printed.slice(0, code.length + 1)).toBe(`${code}\n`)
  }
})

function steady(text: string): string {
  return text.trim().replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
}
