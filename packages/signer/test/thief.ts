import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Signer } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'
import { createSigner, listen, policySigner, type SignerPolicy, SignerRefusal } from 'merchant-gateway-signer'
import { vi } from 'vitest'

/** 1,000 EUR a day and 500 in one; nothing in USD. */
export const limits = { mostInOne: '500', mostInHour: '1000', mostInDay: '1000', countInHour: 100 }

export const basePolicy: SignerPolicy = {
  policyVersion: 1,
  merchantCode: 'sandbox-merchant',
  payins: true,
  operations: ['GET /balances'],
  payouts: { EUR: limits },
}

export interface Wanted {
  readonly id: string
  readonly amount: number
  readonly currencyCode?: string
}

interface HeistOptions {
  readonly policy?: Partial<SignerPolicy>
  /** The path of its log. Default: in a folder of its own. */
  readonly log?: string
}

/**
 * A signer behind a socket, a gateway that counts what moves, and a thief with the socket and without the key.
 * Time is the sandbox's.
 */
export async function heist({ policy = {}, ...options }: HeistOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'signer-'))
  const sandbox = createSandbox({ clock: 'virtual', rateLimit: false, payAfterMs: 0 })
  const { privateKey, merchantCode, now } = sandbox.clientOptions()
  const { log = join(folder, 'signer.log') } = options
  const socket = join(folder, 'signer.sock')
  let clockBackMs = 0
  const signerOptions = { key: privateKey, log, now: () => (now?.() ?? 0) - clockBackMs }
  const startSigner = () => createSigner({ ...basePolicy, ...policy, merchantCode }, signerOptions)
  let signer = await startSigner().catch(async (error: unknown) => {
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
    throw error
  })
  let server = await listen(signer, { socket })
  const thief = new Thief(policySigner({ socket }), merchantCode, sandbox)
  return {
    folder,
    log,
    socket,
    sandbox,
    thief,
    startSigner,
    get signer() {
      return signer
    },
    turnBack(ms: number) {
      clockBackMs = ms
    },
    async stop() {
      await server.close()
      await signer.close()
    },
    async restart() {
      await this.stop()
      // A child that another test has just forked holds the lock of the log until its own program begins.
      signer = await vi.waitFor(startSigner, { timeout: 5000 })
      server = await listen(signer, { socket })
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      await signer.close()
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Has tokens signed, and spends them. */
class Thief {
  readonly #signer: Signer
  readonly #merchantCode: string
  readonly #sandbox: ReturnType<typeof createSandbox>
  #validitySecs = 900

  constructor(signer: Signer, merchantCode: string, sandbox: ReturnType<typeof createSandbox>) {
    this.#signer = signer
    this.#merchantCode = merchantCode
    this.#sandbox = sandbox
  }

  /** A token request as the client writes it, each another one. */
  request(grant: object): string {
    const timestamp = Math.floor(this.#sandbox.clock.now() / 1000)
    this.#validitySecs -= 1
    return JSON.stringify({
      merchantCode: this.#merchantCode,
      validitySecs: this.#validitySecs,
      ...grant,
      timestamp,
    })
  }

  requestFor({ id, amount, currencyCode = 'EUR' }: Wanted): string {
    return this.request({ operations: [`POST /payouts/${id}`], money: { amount, currencyCode } })
  }

  /** The signature, or the rule that refused it. */
  async sign(body: string | Uint8Array): Promise<Uint8Array | string> {
    try {
      return await this.#signer.sign(Buffer.from(body))
    } catch (error) {
      if (error instanceof SignerRefusal) return error.rule
      return 'no signature'
    }
  }

  /** A token, or the rule or status that refused it. */
  async token(body: string, as?: Uint8Array): Promise<string> {
    const signature = await this.sign(body)
    return typeof signature === 'string' ? signature : this.exchange(as ?? Buffer.from(body), signature)
  }

  async exchange(body: Uint8Array | string, signature: Uint8Array): Promise<string> {
    const path = Buffer.from(body).includes('"action"') ? '/auth-tokens-by-action' : '/auth-tokens'
    const answer = await this.#send(path, Buffer.from(body), {
      'x-signature': Buffer.from(signature).toString('base64'),
    })
    const json: unknown = await answer.json()
    const token: unknown = answer.ok && Reflect.get(Object(json), 'token')
    return typeof token === 'string' ? token : String(answer.status)
  }

  /** Tries to make a payout with a token; the status of the response. */
  async pay(token: string, { id, amount, currencyCode = 'EUR' }: Wanted): Promise<number> {
    const account = { accountName: 'A Thief', accountNumber: '1234567' }
    const body = JSON.stringify({
      paymentRequested: { money: { amount, currencyCode } },
      paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account },
    })
    const answer = await this.#send(`/payouts/${id}`, Buffer.from(body), { authorization: `Bearer ${token}` })
    return answer.status
  }

  /** Asks for a token for exactly this payout, and makes it. */
  async steal(wanted: Wanted): Promise<number | string> {
    const token = await this.token(this.requestFor(wanted))
    return token.includes('.') ? this.pay(token, wanted) : token
  }

  /** What the gateway's record says was paid out. */
  loot(currencyCode = 'EUR'): number {
    const payouts = this.#sandbox.payouts.list().filter(({ money }) => money.currencyCode === currencyCode)
    return payouts.reduce((sum, { money }) => sum + money.amount, 0)
  }

  #send(path: string, body: Uint8Array<ArrayBuffer>, headers: Record<string, string>): Promise<Response> {
    return this.#sandbox.fetch(`https://gateway.example${path}`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'x-api-version': '2',
        ...headers,
      },
    })
  }
}

/** Whoever holds the socket has tokens of 500 EUR signed for so many ids, and spends what comes. */
export async function stealAll({ thief }: Awaited<ReturnType<typeof heist>>, ids: number, name = 'id') {
  for (let n = 0; n < ids; n++) await thief.steal({ id: `${name}-${n}`, amount: 500 })
}
