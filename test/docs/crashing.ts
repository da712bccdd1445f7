import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Sandbox } from '../../packages/sandbox/src/index.js'
import { environmentOf } from '../support/merchant-environment.js'
import { root } from '../support/root.js'
import { type Ended, ended, start } from './children.js'
import { asJavaScript } from './compile.js'
import { guideOf } from './guides.js'

/** The moments at which test/docs/child/file-store.mjs dies. */
export type Moment = 'before the id is stored' | 'before the call' | 'before it stores the answer'

export interface Life {
  readonly killAt?: Moment
  /** The program adds the row before it works, as the merchant's code does that promises the money. */
  readonly adds?: boolean
  /** Milliseconds, by the clock that the store's leases go by. */
  readonly now?: number
  /** Ends the process from outside when this resolves. */
  readonly killWhen?: Promise<void>
}

/** The worker of docs/outbox.md over a file, in processes that may die. */
export class Worker {
  readonly #folder: string
  readonly #env: Record<string, string>

  constructor(sandbox: Sandbox) {
    mkdirSync(join(root, 'coverage'), { recursive: true })
    this.#folder = mkdtempSync(join(root, 'coverage', 'crash-'))
    this.#env = { ...environmentOf(sandbox), STORE: join(this.#folder, 'payouts.json') }
    writeFileSync(join(this.#folder, 'worker.mjs'), program())
  }

  live({ killAt, adds = false, now = 0, killWhen }: Life): Promise<Ended> {
    const env = {
      ...this.#env,
      NOW: String(now),
      ...(killAt && { KILL_AT: killAt }),
      ...(adds && { ADDS: '1' }),
    }
    const child = start(process.execPath, [join(this.#folder, 'worker.mjs')], { env })
    void killWhen?.then(() => child.kill('SIGKILL'))
    return ended(child)
  }

  /** What is stored of the payout's fate; undefined without a row. */
  get state(): string | undefined {
    const file = join(this.#folder, 'payouts.json')
    if (!existsSync(file)) return undefined
    const rows: readonly { state: string }[] = JSON.parse(readFileSync(file, 'utf8'))
    return rows[0]?.state
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function program(): string {
  const worker = guideOf('outbox.md').blocks.find(({ name }) => name === 'worker')
  if (worker === undefined) throw new Error('docs/outbox.md has no block that is named worker.')
  const store = pathToFileURL(join(root, 'test/docs/child/file-store.mjs')).href
  const row = `{ idPayout: 'w-1', amount: '25.00', currency: 'EUR', accountName: 'Jana Example', accountNumber: '000123-0123456789' }`
  return [
    `import { store } from ${JSON.stringify(store)}`,
    asJavaScript(worker.code),
    `if (process.env.ADDS) store.add(${row})`,
    'const stop = new AbortController()',
    'store.whenIdle(() => stop.abort())',
    'await work(store, 2, stop.signal)',
    'await client.close()',
  ].join('\n')
}
