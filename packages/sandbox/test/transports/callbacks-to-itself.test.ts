import { afterEach, describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions, type SandboxServer } from '../../src/index.js'
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

async function listening(options: SandboxOptions = {}): Promise<Listening> {
  const sandbox = createSandbox({
    ...{ merchantCode: 'M-0001', privateKey: privatePem, callbackTries: 1 },
    ...{ pendingAfterMs: 3_600_000, payAfterMs: false },
    ...options,
  })
  sandboxes.push(sandbox)
  const server = await sandbox.listen({ page: true })
  return { sandbox, server, token: await masterToken(sandbox) }
}

/** A payin whose callbacks go to a URL, and one change of it. */
async function callbackTo(url: string, { sandbox, server, token }: Listening): Promise<void> {
  const made = await fetch(`${server.url}/payins/one`, create(token, paymentBody({ callbackUrl: url })))
  expect(made.status).toBe(200)
  sandbox.payins.get('one').setStatus('UNDER_REVIEW')
  await sandbox.idle()
}

describe('a callback', () => {
  test.each(['127.0.0.1', 'localhost'])(
    "to the sandbox's own page, called %s, does nothing",
    async (name) => {
      const own = await listening()
      await callbackTo(`http://${name}:${own.server.port}/_sandbox/api/payments/payin/one/callback`, own)
      // That of the change, and none that it asked for.
      expect(own.sandbox.callbacks).toMatchObject([{ paymentStatus: 'UNDER_REVIEW', response: 403 }])
    },
  )

  test('to an endpoint of the sandbox is refused, and makes nothing', async () => {
    const own = await listening()
    await callbackTo(`${own.server.url}/payins/two`, own)
    expect(own.sandbox.callbacks).toMatchObject([{ response: 406 }])
    expect(own.sandbox.payins.size).toBe(1)
  })

  test("to another sandbox's page does nothing there, so that two can't call each other for ever", async () => {
    const [here, there] = [await listening(), await listening()]
    const page = (port: number) => `http://127.0.0.1:${port}/_sandbox/api/payments/payin/one/callback`
    await callbackTo(page(here.server.port), there)
    await callbackTo(page(there.server.port), here)
    for (const { sandbox } of [here, there]) {
      for (const { response } of sandbox.callbacks) expect(response).toBe(403)
    }
    const byStatus = `http://127.0.0.1:${there.server.port}/_sandbox/api/payments/payin/one/status`
    here.sandbox.payins.get('one').setStatus('FAILED')
    const forged = await fetch(byStatus, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-version': '2' },
      body: '{"status":"SUCCESS"}',
    })
    expect([forged.status, there.sandbox.payins.get('one').status]).toEqual([403, 'UNDER_REVIEW'])
  })
})
