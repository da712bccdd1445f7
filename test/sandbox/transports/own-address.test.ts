import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { OwnAddress } from '../../../sandbox/src/gateway/transports/own-address.js'
import { createSandbox, type Sandbox, type SandboxServer } from '../../../sandbox/src/index.js'
import { create, masterToken, paymentBody, privatePem } from '../support.js'

const sandboxes: Sandbox[] = []
afterEach(async () => {
  for (const sandbox of sandboxes.splice(0)) await sandbox.close()
})

interface Listening {
  readonly sandbox: Sandbox
  readonly server: SandboxServer
  readonly token: string
}

async function listening(): Promise<Listening> {
  const sandbox = createSandbox({ merchantCode: 'M-0001', privateKey: privatePem, settleAfterMs: false })
  sandboxes.push(sandbox)
  const server = await sandbox.listen({ page: true })
  return { sandbox, server, token: await masterToken(sandbox) }
}

/** A payin whose callbacks go to a URL, and one change of it. */
async function callbackTo(url: string, { sandbox, server, token }: Listening): Promise<void> {
  const made = await fetch(`${server.url}/payins/one`, create(token, paymentBody({ callbackUrl: url })))
  expect(made.status).toBe(200)
  sandbox.payins.get('one').settle('UNDER_REVIEW')
  await sandbox.idle()
}

describe('a callback', () => {
  test.each(['127.0.0.1', 'localhost', 'LOCALHOST', 'shop.localhost', '127.8.9.10', '0.0.0.0', '[::1]'])(
    "to the sandbox's own page, called %s, is not sent",
    async (name) => {
      const own = await listening()
      await callbackTo(`http://${name}:${own.server.port}/_sandbox/api/payments/payin/one/callback`, own)
      expect(own.sandbox.callbacks.length).toBeGreaterThan(0)
      for (const { answer, error } of own.sandbox.callbacks) {
        expect([answer, error]).toEqual([undefined, 'Not sent: the callbackUrl is the sandbox itself.'])
      }
    },
  )

  test('to an endpoint of the sandbox is not sent', async () => {
    const own = await listening()
    const before = own.sandbox.requests.length
    await callbackTo(`${own.server.url}/payins/two`, own)
    expect(own.sandbox.requests.length - before).toBe(1)
    expect(own.sandbox.callbacks.at(-1)?.error).toContain('the sandbox itself')
  })

  test("to another sandbox's page does nothing there, so that two can't call each other for ever", async () => {
    const [here, there] = [await listening(), await listening()]
    const page = (port: number) => `http://127.0.0.1:${port}/_sandbox/api/payments/payin/one/callback`
    await callbackTo(page(here.server.port), there)
    await callbackTo(page(there.server.port), here)
    for (const { sandbox } of [here, there]) {
      for (const { answer } of sandbox.callbacks) expect(answer).toBe(403)
    }
    const bySettle = `http://127.0.0.1:${there.server.port}/_sandbox/api/payments/payin/one/settle`
    here.sandbox.payins.get('one').settle('FAILED')
    const forged = await fetch(bySettle, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-version': '2' },
      body: '{"status":"SUCCESS"}',
    })
    expect([forged.status, there.sandbox.payins.get('one').status]).toEqual([403, 'UNDER_REVIEW'])
  })

  test('to the same port of another machine is sent', () => {
    const address = new OwnAddress()
    expect(address.covers('http://127.0.0.1:4010/')).toBe(false)
    address.begin('127.0.0.1', 4010)
    expect(address.covers('http://10.1.2.3:4010/')).toBe(false)
    expect(address.covers('http://127.0.0.1:4011/')).toBe(false)
    expect(address.covers('http://[::ffff:127.0.0.1]:4010/')).toBe(true)
    expect(address.covers('http://localhost.:4010/')).toBe(true)
    expect(address.covers('no url')).toBe(false)
    address.begin('0.0.0.0', 4010)
    expect(address.covers('http://192.0.2.1:4010/')).toBe(false)
    const [own] = Object.values(networkInterfaces()).flatMap(
      (all) => all?.filter(({ family }) => family === 'IPv4') ?? [],
    )
    expect(address.covers(`http://${own?.address}:4010/`)).toBe(true)
    address.begin('Desk.lan', 80)
    expect(address.covers('http://desk.lan/')).toBe(true)
    expect(address.covers('https://desk.lan/')).toBe(false)
    address.end()
    expect(address.covers('http://desk.lan/')).toBe(false)
  })
})
