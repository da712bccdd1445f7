import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../packages/sandbox/src/index.js'
import { closedAddress } from '../../support/listening.js'
import { environmentOf } from '../../support/merchant-environment.js'
import { root } from '../../support/root.js'

/** What a customer sees of an order; see viewOf in examples/demo-shop/order.mjs. */
export interface View {
  readonly status: string
  readonly shipments: number
  readonly cents: number
  readonly payTo: { readonly reference?: string } | null
  /** What goes to the tea garden. */
  readonly payouts: readonly { readonly status: string; readonly cents: number }[]
}

export interface Answer {
  readonly status: number
  readonly body: View & { readonly message?: string }
}

export interface ShopOptions {
  /** Where the gateway reaches it, as its owner has written it. */
  readonly publicUrl?: (url: string) => string
}

const sandboxOptions: SandboxOptions = {
  payAfterMs: false,
  rateLimit: false,
  callbackTries: 10,
  callbackRetryAfterMs: 20,
}
const timeoutMs = 60_000

export const tea = { quantity: 2 }

export function newKey(): string {
  return randomBytes(24).toString('base64url')
}

/** The shop in a process of its own, over a sandbox in this one. It starts again where it was, on the same port. */
export class ShopProcess {
  readonly sandbox: Sandbox
  readonly folder = mkdtempSync(join(tmpdir(), 'demo-shop-test-'))
  readonly #environment: Record<string, string>
  readonly #url: string
  #child: ChildProcess | undefined
  #errors = ''

  private constructor(sandbox: Sandbox, url: string, { publicUrl }: ShopOptions) {
    this.sandbox = sandbox
    this.#url = url
    this.#environment = {
      ...environmentOf(sandbox),
      PATH: process.env.PATH ?? '',
      PORT: new URL(url).port,
      ...(publicUrl && { PUBLIC_URL: publicUrl(url) }),
      SHOP_FOLDER: join(this.folder, 'orders'),
      GATEWAY_CALLBACK_SECRET: randomBytes(32).toString('hex'),
    }
  }

  static async open(options: ShopOptions = {}): Promise<ShopProcess> {
    const sandbox = createSandbox(sandboxOptions)
    await sandbox.listen()
    return new ShopProcess(sandbox, await closedAddress(), options)
  }

  /** Where its orders are, a file for each. */
  get orders(): string {
    return join(this.folder, 'orders')
  }

  /** What the shop has said to its own people. */
  get errors(): string {
    return this.#errors
  }

  /** Resolves when it listens, or has ended. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ['examples/demo-shop/server.mjs'], {
      cwd: root,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text
    })
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject)
      child.on('exit', () => resolve())
      child.stdout.on('data', () => resolve())
    })
  }

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    const child = this.#child
    if (child === undefined || !this.isRunning) return null
    const ended = new Promise<number | null>((resolve) => {
      child.on('exit', resolve)
    })
    child.kill(signal)
    return ended
  }

  async ask(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      signal: AbortSignal.timeout(30_000),
    })
    const view: Answer['body'] = JSON.parse(await response.text())
    return { status: response.status, body: view }
  }

  /** As somebody who wants it: again until it is as it should be; and who finds the shop dead, starts it. */
  async insist(path: string, body?: unknown, isGood = (_view: View) => true): Promise<View> {
    const end = performance.now() + timeoutMs
    let last: unknown
    while (performance.now() < end) {
      if (!this.isRunning) await this.start()
      try {
        const answer = await this.ask(path, body)
        if (answer.status < 300 && isGood(answer.body)) return answer.body
        last = answer
      } catch (error) {
        last = error
      }
      await pause(50)
    }
    throw new Error(`${path} did not become what it should: ${JSON.stringify(last)}\n${this.#errors}`)
  }

  async close(): Promise<void> {
    await this.kill()
    await this.sandbox.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}
