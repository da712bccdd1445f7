import { expect, test } from 'vitest'
import { exchangeFacts, exchangeLine } from '../../src/cli/exchange-line.js'
import { createSandbox, type SandboxExchange } from '../../src/index.js'

test('a line of the log shows what was asked, and no signature or password of its path', async () => {
  const seen: SandboxExchange[] = []
  await using sandbox = createSandbox({ onExchange: (exchange) => seen.push(exchange) })
  const mac = `2.k3yIdent.payin.b3JkZXItMQ.${'canary'.repeat(8)}`
  const query = 'currencies=EUR,USD&idPayin=order-1&password=canary'
  await sandbox.fetch(`https://sandbox.invalid/hooks/${mac}?${query}`)
  const shown =
    '/hooks/2.k3yIdent.payin.b3JkZXItMQ.[redacted]?currencies=EUR,USD&idPayin=order-1&password=[redacted]'
  const [exchange] = seen
  if (exchange === undefined) throw new Error('There was no exchange.')
  expect(exchangeFacts(exchange).path).toBe(shown)
  expect(exchangeLine(exchange, (_colour, text) => text)).toContain(`GET ${shown} 404 `)
})
