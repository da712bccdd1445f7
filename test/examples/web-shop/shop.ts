import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import { expect } from 'vitest'
import { createSandbox, type Sandbox } from '../../../packages/sandbox/src/index.js'
import { refundId } from '../../../src/index.js'
import { databaseUrl, ownName } from '../../support/engines.js'
import { closedAddress } from '../../support/listening.js'
import { environmentOf } from '../../support/merchant-environment.js'
import { root } from '../../support/root.js'

/** Where a process is to die: at a point by its number, or at the first one of an await. */
export type Death = { readonly count: number } | { readonly site: string }

export interface Died {
  readonly site: string
  readonly moment: 'under way' | 'settled'
}

/** Where the program lies, and the database in which each shop has its tables. */
export interface Place {
  readonly folder: string
  readonly program: string
  readonly database: Pool
}

const timeoutMs = 60_000

/** The shop in a process of its own, at a gateway of its own. */
export class Shop {
  readonly deaths: Died[] = []
  readonly #schema = ownName()
  readonly #place: Place
  readonly #sandbox: Sandbox
  readonly #url: string
  readonly #report: string
  readonly #env: Record<string, string>
  #child: ChildProcess | undefined
  #errors = ''

  private constructor(place: Place, sandbox: Sandbox, url: string) {
    this.#place = place
    this.#sandbox = sandbox
    this.#url = url
    this.#report = join(place.folder, ownName())
    this.#env = {
      ...environmentOf(sandbox),
      PATH: process.env.PATH ?? '',
      PORT: new URL(url).port,
      GATEWAY_CALLBACK_SECRET: randomBytes(32).toString('hex'),
      DATABASE_URL: databaseUrl,
      SHOP_SCHEMA: this.#schema,
      DIE_REPORT: this.#report,
    }
  }

  static async open(place: Place): Promise<Shop> {
    // A gateway need not call again: the specification says nothing of it.
    const options = { payAfterMs: 200, magicAmounts: false, mistakes: 'note', callbackTries: 1 } as const
    const sandbox = createSandbox({ ...options, merchantCode: ownName() })
    await sandbox.listen()
    return new Shop(place, sandbox, await closedAddress())
  }

  /** Makes the tables. */
  async makeTables(): Promise<void> {
    this.#spawn(0, ['migrate'])
    await this.#end()
  }

  /** How its orders stand, each form once. */
  async orders(): Promise<readonly string[]> {
    const { rows } = await this.#place.database.query(
      `SELECT orders.*, shipments.id AS shipped FROM ${this.#schema}.orders LEFT JOIN ${this.#schema}.shipments USING (id)`,
    )
    return rows.map(({ status, paid, refund, shipped }) => `${status} ${paid} ${refund} ${shipped !== null}`)
  }

  /** Makes the tables, killed at every await. */
  async migrate(): Promise<void> {
    for (let count = 1; ; count++) {
      this.#spawn(count, ['migrate'])
      if ((await this.#end()) === null) return
    }
  }

  /** Is killed at every await of its start, while there is an order to follow. */
  async startAgain(): Promise<void> {
    const cart = ownName()
    await this.#start()
    await this.#order(cart)
    for (let count = 1; count === 1 || !this.#isRunning; count++) {
      await this.#kill()
      await this.#start(count)
    }
    await this.#buyAndReturn(cart)
  }

  /** One cart from the order to the refund, then the end of the process. @returns whether it was killed meanwhile */
  async live(death: Death): Promise<boolean> {
    const before = this.deaths.length
    if (!this.#isRunning) await this.#start()
    this.#child?.send(death)
    await this.#buyAndReturn(ownName(), 'count' in death)
    if (this.deaths.length === before) {
      this.#child?.kill('SIGTERM')
      await this.#end()
    }
    return this.deaths.length > before
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kill()
    await this.#sandbox.close()
    const { database } = this.#place
    await database.query(`DROP SCHEMA IF EXISTS ${this.#schema} CASCADE`)
    await database.query(`DROP SCHEMA IF EXISTS ${this.#schema}_queue CASCADE`)
  }

  get #isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  #spawn(count = 0, args: readonly string[] = []): void {
    const child = spawn(process.execPath, [this.#place.program, ...args], {
      cwd: root,
      env: { ...this.#env, DIE_COUNT: String(count) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child = child
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text
    })
    child.once('exit', () => {
      if (!existsSync(this.#report)) return
      this.deaths.push(JSON.parse(readFileSync(this.#report, 'utf8')))
      rmSync(this.#report)
    })
  }

  /** Resolves when it answers, or has died at this point. */
  async #start(count = 0): Promise<void> {
    this.#spawn(count)
    // A callback that nobody has signed passes no await.
    while (this.#isRunning && (await this.#post('callbacks/none')) === undefined) await pause(30)
  }

  /** @returns the signal that has ended it */
  async #end(): Promise<NodeJS.Signals | null | undefined> {
    if (this.#child && this.#isRunning) await once(this.#child, 'exit')
    if (this.#child?.signalCode !== 'SIGKILL') expect(this.#child?.exitCode, this.#errors).toBe(0)
    return this.#child?.signalCode
  }

  async #kill(): Promise<void> {
    this.#child?.kill('SIGKILL')
    await this.#end()
  }

  async #buyAndReturn(cart: string, isHasty = true): Promise<void> {
    await this.#order(cart)
    await this.#until(cart, ({ paid }) => paid === true)
    // Twice: the second time it is there already. Who is hasty may learn its status before a callback tells the shop.
    await this.#insist(`${cart}/refund`)
    if (isHasty) await this.#insist(`${cart}/refund`)
    await this.#until(cart, ({ refund }) => refund === 'SUCCESS', `${cart}/refund`)
    if (!isHasty) await this.#insist(`${cart}/refund`)
    const payins = this.#sandbox.payins.list().filter(({ id }) => id === cart)
    const payouts = this.#sandbox.payouts.list().filter(({ id }) => id === refundId(cart, 1))
    for (const one of [payins, payouts]) {
      expect(one.map(({ money, status }) => [money.amount, status])).toEqual([[10.5, 'SUCCESS']])
    }
  }

  /** The customer orders. One who got no answer comes again only where no order is stored: what is stored needs nobody. */
  async #order(cart: string): Promise<void> {
    for (let stored = 0; stored === 0; ) {
      const answer = await this.#post(`orders/${cart}`)
      if (answer?.status === 200) expect(answer.text).toMatch(/"payTo":"\d{12}"/)
      this.#watch()
      const { rowCount } = await this.#orderOf(cart)
      stored = rowCount ?? 0
      await pause(50)
    }
  }

  #orderOf(cart: string) {
    return this.#place.database.query(`SELECT * FROM ${this.#schema}.orders WHERE id = $1`, [cart])
  }

  /** Asks again until there is an answer. */
  async #insist(path: string): Promise<string> {
    const until = performance.now() + timeoutMs
    for (;;) {
      const answer = await this.#post(`orders/${path}`)
      if (answer?.status === 200) return answer.text
      this.#watch()
      if (performance.now() > until) throw new Error(`POST ${path} has no end: ${this.#errors}`)
      await pause(50)
    }
  }

  /** Looks into the table, since each look by the shop would have awaits; who has waited long asks again. */
  async #until(
    cart: string,
    isSo: (order: Readonly<Record<string, unknown>>) => boolean,
    path?: string,
  ): Promise<void> {
    const until = performance.now() + timeoutMs
    for (let looks = 1; ; looks++) {
      const { rows } = await this.#orderOf(cart)
      if (rows.some(isSo)) return
      this.#watch()
      if (performance.now() > until) throw new Error(`${JSON.stringify(rows)} stays: ${this.#errors}`)
      if (path !== undefined && looks % 20 === 0) await this.#insist(path)
      await pause(50)
    }
  }

  /** Starts it again when it has died. */
  #watch(): void {
    if (!this.#isRunning) this.#spawn()
  }

  async #post(path: string) {
    try {
      const response = await fetch(`${this.#url}/${path}`, { method: 'POST' })
      return { status: response.status, text: await response.text() }
    } catch {
      return undefined
    }
  }
}
