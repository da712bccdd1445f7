import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createSandbox, type Sandbox } from '../../../packages/sandbox/src/index.js'

const program = fileURLToPath(new URL('child.mjs', import.meta.url))

/** Where the processes share their tokens. */
export interface Engine {
  readonly engine: 'redis' | 'postgres'
  readonly url: string
  /** A prefix or a schema. */
  readonly place: string
}

export interface FleetOptions {
  readonly size: number
  /** Of the tokens, in seconds. */
  readonly validitySecs?: number
}

/** Processes of one merchant, whose clocks go wrong by up to 30 s, and a gateway for them. */
export class Fleet implements AsyncDisposable {
  readonly sandbox: Sandbox
  readonly #children: readonly ChildProcess[]

  private constructor(sandbox: Sandbox, children: readonly ChildProcess[]) {
    this.sandbox = sandbox
    this.#children = children
  }

  static async start(engine: Engine, { size, validitySecs = 900 }: FleetOptions): Promise<Fleet> {
    const sandbox = createSandbox({ rateLimit: false, settleAfterMs: false })
    await sandbox.listen()
    const { baseUrl, merchantCode, privateKey } = sandbox.clientOptions()
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const options = {
      baseUrl,
      merchantCode,
      privateKey: key,
      rateLimit: false,
      tokenValiditySecs: validitySecs,
    }
    const encryptionKey = randomBytes(32).toString('hex')
    const children = Array.from({ length: size }, (_, n) => {
      const clockAheadMs = (n % 3) * 30_000 - 30_000
      return fork(program, [JSON.stringify({ ...engine, encryptionKey, clockAheadMs, options })])
    })
    const fleet = new Fleet(sandbox, children)
    await Promise.all(children.map((child) => said(child, 'start')))
    return fleet
  }

  /** Has all of them do something at once. */
  async all(task: 'create' | 'look'): Promise<void> {
    await Promise.all(
      this.#children.map((child) => {
        const done = said(child, task)
        child.send({ task })
        return done
      }),
    )
  }

  get tokenRequests(): number {
    return this.sandbox.requests.filter(({ path }) => path.startsWith('/auth-tokens')).length
  }

  get refused(): number {
    return this.sandbox.requests.filter(({ status }) => status === 401).length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.send({ task: 'end' })
        const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
        await ended
        clearTimeout(timer)
      }),
    )
    await this.sandbox.close()
  }
}

function said(child: ChildProcess, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const listener = ({ done, failed }: { done?: string; failed?: string }) => {
      if (failed !== undefined) reject(new Error(failed))
      else if (done === what) resolve()
      else return
      child.off('message', listener)
    }
    child.on('message', listener)
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it said ${what}`)))
  })
}
