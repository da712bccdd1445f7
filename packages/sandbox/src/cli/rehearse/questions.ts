import { createInterface } from 'node:readline/promises'
import { limited } from '../../../../../src/client/input/limit.js'
import { CommandFailed } from '../../../../cli/src/exit-codes.js'
import type { Io } from '../../../../cli/src/io.js'
import { printable } from '../../../../cli/src/text.js'
import { withCart } from '../../rehearse/act-text.js'
import { Carts, firstCartAt } from '../../rehearse/carts.js'
import { usualWaits } from '../../rehearse/context.js'
import { learn } from '../../rehearse/learn.js'
import type { Result } from '../../rehearse/result.js'
import { abortable } from '../../rehearse/waiting.js'
import type { Answers } from './answers.js'
import type { Application } from './application.js'
import { readApplication, readWanted } from './options.js'
import { openSandbox, type RehearsalSandbox, type SandboxOptions } from './sandbox.js'

/** Asks one question; an empty answer is the proposal. */
type Ask = (question: string, proposal?: string) => Promise<string>

const HOUR_SECS = 3600
const MOST_SHOWN = 200

/** Asks what a rehearsal needs, and plays two carts without a fault after each answer, until those go well. */
export async function askForAnswers(options: SandboxOptions, signal: AbortSignal, io: Io): Promise<Answers> {
  // Not in raw mode, so that Ctrl-C ends the program as it does everywhere.
  const lines = createInterface({ input: io.input, output: process.stderr, terminal: false })
  const ended = new Promise<string>((_resolve, reject) => {
    lines.once('close', () => reject(new CommandFailed('the answers ended before the questions did.')))
  })
  ended.catch(() => {})
  const ask: Ask = async (question, proposal = '') => {
    const shown = proposal === '' ? '' : ` [${proposal}]`
    const answer = await abortable(Promise.race([ended, lines.question(`${question}${shown}\n> `)]), signal)
    return answer.trim() || proposal
  }
  const sandbox = await openSandbox(options, io)
  const trial = new Trial(sandbox, signal, io)
  try {
    io.note('Four questions; after each, two carts are ordered and paid, at a sandbox of its own.')
    let answers: Answers
    let start = 'npm start'
    let act = 'POST http://localhost:3000/orders/{n}'
    do {
      start = await ask('1. What starts your application? A command, or none.', start)
      act = await ask(
        '2. What does a customer do? A request or a command; {n} is the number of the cart.',
        act,
      )
      answers = { ...(start !== 'none' && { start }), act }
    } while (!(await trial.goesWell(answers)))
    for (let status = 'none', paid = '', once = 'none'; ; ) {
      status = await ask(
        '3. Where does it show that cart {n} is paid? An address, a command, or none.',
        status,
      )
      if (status === 'none') break
      if (!/\s/.test(status)) io.note(`   A paid cart: ${await trial.shown(status)}`)
      paid = await ask('   What does it contain when the cart is paid? Such as state=paid', paid)
      once = await ask('   And when it was delivered 1 time? Such as shipments=1, or none.', once)
      const more = { ...answers, status, paid, ...(once !== 'none' && { once }) }
      if (!(await trial.goesWell(more))) continue
      answers = more
      break
    }
    for (let { price } = trial; ; ) {
      price = await ask('4. What does this cart cost?', price)
      if (await trial.goesWell({ ...answers, price })) return { ...answers, price }
    }
  } finally {
    lines.close()
    await trial.close()
    await sandbox.close()
  }
}

/** The application as the answers have it, and what comes of two carts without a fault. */
class Trial {
  readonly #sandbox: RehearsalSandbox
  readonly #signal: AbortSignal
  readonly #io: Io
  readonly #carts: Carts
  #application: Application | undefined
  #doubted = { text: '', sentence: '' }
  /** What is wrong with the application itself. */
  #wrong: string | undefined

  constructor(sandbox: RehearsalSandbox, signal: AbortSignal, io: Io) {
    this.#sandbox = sandbox
    this.#signal = signal
    this.#io = io
    // Not those that the rehearsal begins with.
    this.#carts = new Carts(sandbox.gateway, firstCartAt(Date.now()) - HOUR_SECS)
  }

  /** What the newest cart has cost. */
  get price(): string {
    const { payins, payouts } = this.#sandbox.gateway
    const money = (payins.list().at(-1) ?? payouts.list().at(-1))?.money
    return money === undefined ? '' : `${money.amount} ${money.currencyCode}`
  }

  /**
   * Whether both carts went well; or the same answers were given again: what went wrong then is the application's, and the
   * rehearsal will say so.
   */
  async goesWell(answers: Answers): Promise<boolean> {
    const text = JSON.stringify(answers)
    if (text === this.#doubted.text) {
      this.#wrong = this.#doubted.sentence
      return true
    }
    await this.close()
    try {
      const { outcome, sentence } = (await this.#learnt(answers)).verdict
      this.#doubted = { text, sentence }
      const isWell = outcome === 'right' || sentence === this.#wrong
      const where = sentence.startsWith('none') ? ' The sandbox is at $GATEWAY_BASE_URL.' : ''
      const again = `${where} Once more; or the same again, if it is the application that is wrong:`
      this.#io.note(`   Each cart: ${sentence}.${isWell ? '' : again}`)
      return isWell
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error
      this.#signal.throwIfAborted()
      this.#io.note(`   ${error.message} Once more:`)
      return false
    }
  }

  async #learnt(answers: Answers): Promise<Result> {
    const { price } = readWanted(answers)
    const place = this.#sandbox.withApplication(readApplication(answers), this.#signal)
    this.#application = place.application
    await place.application.open(this.#signal)
    return (await learn({ ...place, carts: this.#carts }, { price })).result
  }

  /** What the application answers for the cart that was paid last, in a line for the person who asks. */
  async shown(status: string): Promise<string> {
    try {
      return await limited({ signals: [this.#signal], ms: usualWaits.waitMs }, async (signal) => {
        const answer = await fetch(withCart(status, this.#carts.newest), { redirect: 'manual', signal })
        const text = (await answer.text()).replaceAll(/\s+/g, ' ')
        return printable(`${answer.status} ${text.slice(0, MOST_SHOWN)}`)
      })
    } catch {
      this.#signal.throwIfAborted()
      return 'no answer'
    }
  }

  async close(): Promise<void> {
    await this.#application?.close()
    this.#application = undefined
  }
}
