import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { jsonOf } from '../../../../src/client/input/json.js'
import { isObject } from '../../../../src/client/input/own.js'
import { readProfile } from '../../../../src/profile/read-profile.js'
import {
  type HandAnswer,
  HandGateway,
  type HandPayment,
} from '../../../../test/profile/gateways/hand-gateway.js'
import { fastPace } from '../../../../test/profile/gateways/support.js'
import { privatePem } from '../../../../test/support/vectors.js'
import { runLearn } from '../../src/learn/run.js'
import { startActHere } from '../here.js'

// They ask over sockets, on machines that may have other things to do.
vi.setConfig({ testTimeout: 60_000 })

const account = { accountName: "Canary O'Kowálski", accountNumber: 'ACC77CANARY0041' }
const emailAddress = 'bird.canary@nest.example'
const merchantCode = 'CANARY-MERCHANT'

/** Shows all that it was told, as values and as names, wherever there is room. */
class Echo extends HandGateway {
  #told: readonly string[] = []
  override steps = ['CREATED', 'Jana Kowalski', 'ACC77CANARY0041', 'SUCCESS']

  override async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization = '', 'x-signature': signature = '' } = request.headers
    const segments = (request.url ?? '').split(/[/?&=]/).map(decodeURIComponent)
    this.#told = [authorization, authorization.slice(7, 60), String(signature), ...segments]
    await super.serve(request, response)
  }

  override send(response: ServerResponse, answer: HandAnswer): void {
    const told = [...this.#told, ...this.requests.slice(-1).flatMap(({ body }) => textsIn(jsonOf(body)))]
    const names = told.filter(
      (text) => text.length > 5 && !text.startsWith('GET ') && !text.startsWith('POST '),
    )
    const others = [
      '4111111111111111',
      'DE89370400440532013000',
      'EUR',
      'order-20261122-1',
      crypto.randomUUID(),
    ]
    const echo = Object.fromEntries([...names, ...others].map((name) => [name, name]))
    const upper = Object.fromEntries(names.map((name) => [name.toUpperCase(), 1]))
    const body = isObject(answer.body) ? { ...answer.body, echo: { ...echo, deeper: [upper] } } : answer.body
    super.send(response, { ...answer, body, type: 'application/vnd.acc77canary0041+json' })
  }

  override callback({ request, id }: HandPayment): RequestInit {
    const headers = {
      'content-type': 'text/acc77canary0041',
      'x-acc77canary0041': '1',
      [`x-${id}`]: '1',
      'x-kind': id,
    }
    return {
      method: 'POST',
      headers,
      body: JSON.stringify({ [id]: request, [account.accountName]: 1, about: id }),
    }
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** Whatever the case and the accents. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '')

test('nothing of a customer, no secret, no id and no amount is in a profile or in what is printed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-names-'))
  const gateway = new Echo()
  onTestFinished(async () => {
    await gateway.close()
    rmSync(folder, { recursive: true })
  })
  const money = { amount: 7319.53, currencyCode: 'EUR' }
  const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER', account, emailAddress }
  const file = join(folder, 'request.json')
  writeFileSync(file, JSON.stringify({ paymentRequested: { money }, paymentMethod }))
  const out = join(folder, 'gateway-profile.json')
  const env = {
    GATEWAY_BASE_URL: await gateway.listen(),
    GATEWAY_MERCHANT_CODE: merchantCode,
    GATEWAY_PRIVATE_KEY: privatePem,
  }
  const options = { yes: true, wait: 2, payin: file, payout: file } as const
  const text = await startActHere((io) => runLearn({ ...options, out }, io, fastPace), env).ended
  const json = await startActHere(
    (io) => runLearn({ ...options, out: `${out}.json`, check: out, json: true }, io, fastPace),
    env,
  ).ended
  const profile = readFileSync(out, 'utf8')
  const shown = [profile, text.stdout, text.stderr, json.stdout, json.stderr].join('\n')
  expect(plain(shown)).not.toMatch(/canary|kow.?lski|jana|nest\.example|7319/i)
  expect(shown).not.toMatch(/eyJ[\w-]{4,}|[\w+/-]{100,}|BEGIN|learn-[0-9a-f]|\S@\S|4111|DE89|"EUR"|2026/)
  for (const { headers } of gateway.requests) {
    for (const secret of [headers['x-signature'], headers.authorization?.slice(7)].flat()) {
      if (secret !== undefined) expect(shown).not.toContain(secret.slice(0, 30))
    }
  }
  // And yet everything was learnt: names that are data became one.
  const { answers, payins, callbacks, refusals } = readProfile(JSON.parse(profile))
  expect(answers?.['GET /currencies']?.body).toMatchObject({ echo: { '*': 'string', deeper: [{}] } })
  expect(refusals?.['payin-unknown']?.body).toMatchObject({ echo: { '*': 'string' } })
  expect(payins).toMatchObject({ statusField: 'process.status', statuses: { SUCCESS: 'final' } })
  expect(callbacks).toMatchObject({ headers: ['x-kind'], body: { '*': expect.anything(), about: 'string' } })
  expect({ text: text.code, json: json.code }).toEqual({ text: 0, json: 0 })
})
