import { createInterface } from 'node:readline/promises'
import { CommandFailed } from '../../../../src/cli/exit-codes.js'
import type { Io } from '../../../../src/cli/io.js'
import { printable } from '../../../../src/cli/text.js'
import { limited } from '../../../../src/client/input/limit.js'
import { withCart } from '../../rehearse/act-text.js'
import { answerTo } from '../../rehearse/answer-to.js'
import { askByHttp } from '../../rehearse/http.js'
import { waitUntil } from '../../rehearse/waiting.js'
import type { Answers } from './answers.js'
import { Application } from './application.js'
import { environmentOf } from './environment.js'
import { type ApplicationOptions, readApplication, readWanted } from './options.js'
import { openSandbox, type RehearsalSandbox, type SandboxOptions } from './sandbox.js'

/** Asks one question; an empty answer is the proposal. */
type Ask = (question: string, proposal?: string) => Promise<string>

const HOUR_SECS = 3600
const TRY_MS = 10_000
const MOST_SHOWN = 200

/** Asks what a rehearsal needs, and tries each answer at once, until it is one that works. */
export async function askForAnswers(options: SandboxOptions, signal: AbortSignal, io: Io): Promise<Answers> {
  // Not in raw mode, so that Ctrl-C ends the program as it does everywhere.
  const lines = createInterface({ input: io.input, output: process.stderr, terminal: false })
  const ended = new Promise<string>((_resolve, reject) => {
    lines.once('close', () => reject(new CommandFailed('the answers ended before the questions did.')))
  })
  ended.catch(() => {})
  const ask: Ask = async (question, proposal = '') => {
    const shown = proposal === '' ? '' : ` [${proposal}]`
    const answer = await Promise.race([ended, lines.question(`${question}${shown}\n> `, { signal })])
    return answer.trim() || proposal
  }
  const sandbox = await openSandbox(options, io)
  try {
    io.note('Four questions; each answer is tried at once, against a sandbox of its own.')
    return await new Questions(sandbox, ask, signal, io).all()
  } finally {
    lines.close()
    await sandbox.close()
  }
}

/** The questions, with the application that the answers have named so far. */
class Questions {
  readonly #sandbox: RehearsalSandbox
  readonly #ask: Ask
  readonly #signal: AbortSignal
  readonly #io: Io
  /** Not those that the rehearsal begins with. */
  #cart = Math.floor(Date.now() / 1000) - HOUR_SECS

  constructor(sandbox: RehearsalSandbox, ask: Ask, signal: AbortSignal, io: Io) {
    this.#sandbox = sandbox
    this.#ask = ask
    this.#signal = signal
    this.#io = io
  }

  async all(): Promise<Answers> {
    let start = 'npm start'
    let act = 'POST http://localhost:3000/orders/{n}'
    for (;;) {
      start = await this.#ask('1. What starts your application?', start)
      act = await this.#ask('2. What does a customer do? {n} stands for the number of the cart.', act)
      const application = await this.#started({ start, act })
      if (application === undefined) continue
      try {
        if (!(await this.#acts(application))) continue
        const status = await this.#status(application)
        return { start, act, ...status, price: await this.#price() }
      } finally {
        await application.close()
      }
    }
  }

  async #started(options: ApplicationOptions): Promise<Application | undefined> {
    const { env, onExit } = this.#io
    const surroundings = { env: environmentOf(this.#sandbox.served, env), output: 'ignore', onExit } as const
    return this.#tried(async () => {
      const application = new Application(readApplication(options), surroundings)
      await application.open(this.#signal).catch(async (error: unknown) => {
        await application.close()
        throw error
      })
      return application
    })
  }

  /** Whether an act makes a payment. */
  async #acts(application: Application): Promise<boolean> {
    const { payins, payouts } = this.#sandbox.gateway
    const before = payins.list().length + payouts.list().length
    this.#cart += 1
    const act = (ends: AbortSignal) => application.act(this.#cart, ends)
    const { says } = await answerTo(act, TRY_MS, this.#signal)
    const made = () => payins.list().length + payouts.list().length - before
    const isThere = await waitUntil(() => made() > 0, TRY_MS / 2, this.#signal)
    this.#io.note(
      isThere
        ? `   It was ${says}, and the gateway holds ${made()} payment of ${this.#shownPrice()}.`
        : `   It was ${says}, and nothing reached the gateway: it is at $GATEWAY_BASE_URL. Once more:`,
    )
    return isThere
  }

  /** Where the application shows that a cart is paid: what it says before and after the payment. */
  async #status(application: Application): Promise<Answers> {
    for (;;) {
      const status = await this.#ask(
        '3. Which address shows whether cart {n} is paid? (none: leave it empty)',
      )
      if (status === '') return {}
      if (this.#open().length === 0 && !(await this.#acts(application))) continue
      const before = await this.#shown(status)
      for (const payment of this.#open()) payment.settle('SUCCESS')
      let after = before
      const hasChanged = async () => {
        after = await this.#shown(status)
        return after !== before
      }
      await waitUntil(hasChanged, TRY_MS, this.#signal)
      this.#io.note(`   Before the payment: ${before}\n   After it:           ${after}`)
      const paid = await this.#ask('   What does it contain when the cart is paid? Such as state=paid')
      const isGood = await this.#tried(async () => {
        const { marks } = readApplication({ act: 'true', status, paid })
        const limits = { signal: this.#signal, timeoutMs: TRY_MS }
        const { says } = await askByHttp(status, marks, this.#cart, limits)
        if (says !== 'paid') throw new CommandFailed('it does not say so now.')
        if (before === after) throw new CommandFailed('it said the same before the payment.')
        return true
      })
      if (isGood) return { status, paid }
    }
  }

  async #price(): Promise<string> {
    for (;;) {
      const price = await this.#ask('4. What does this cart cost?', this.#shownPrice())
      if ((await this.#tried(async () => readWanted({ price }).price)) !== undefined) return price
    }
  }

  #open() {
    const { payins, payouts } = this.#sandbox.gateway
    return [...payins.list(), ...payouts.list()].filter(
      ({ status }) => !/SUCCESS|FAILED|EXPIRED/.test(status),
    )
  }

  #shownPrice(): string {
    const { payins, payouts } = this.#sandbox.gateway
    const money = (payins.list().at(-1) ?? payouts.list().at(-1))?.money
    return money === undefined ? '' : `${money.amount} ${money.currencyCode}`
  }

  /** An answer in a line, for the person who asks for it. */
  async #shown(status: string): Promise<string> {
    try {
      return await limited({ signals: [this.#signal], ms: TRY_MS }, async (signal) => {
        const answer = await fetch(withCart(status, this.#cart), { redirect: 'manual', signal })
        const text = (await answer.text()).replaceAll(/\s+/g, ' ')
        return printable(`${answer.status} ${text.slice(0, MOST_SHOWN)}`)
      })
    } catch {
      this.#signal.throwIfAborted()
      return 'no answer'
    }
  }

  /** What came of a try; undefined, and a note, when it was wrong. */
  async #tried<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error
      this.#signal.throwIfAborted()
      this.#io.note(`   ${error.message} Once more:`)
      return undefined
    }
  }
}
