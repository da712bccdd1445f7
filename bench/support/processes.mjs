// @ts-check
import { fork } from 'node:child_process'

const bench = new URL('../', import.meta.url)
/** @type {Set<WorkerProcess>} */
const running = new Set()

/** A process of the bench that is asked one thing after another, and ends when the channel to it does. */
export class WorkerProcess {
  #file
  #child
  /** @type {Promise<string>} */
  #exit

  /** @param {string} file @param {{ args?: string[], execArgv?: string[] }} [options] */
  constructor(file, { args = [], execArgv = [] } = {}) {
    this.#file = file
    this.#child = fork(new URL(file, bench), args, { execArgv })
    this.#exit = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => resolve(String(signal ?? code)))
    })
    running.add(this)
  }

  /** The next message that it sends. @returns {Promise<any>} */
  async answer() {
    const message = new Promise((resolve) => this.#child.once('message', resolve))
    const exit = this.#exit.then((how) => {
      throw new Error(`${this.#file} ended (${how}) without a response`)
    })
    return Promise.race([message, exit])
  }

  /** What it tells without being asked. @param {(message: any) => void} heard */
  onMessage(heard) {
    this.#child.on('message', heard)
  }

  /** Tells it something that it doesn't answer. @param {object} message */
  send(message) {
    if (this.#child.connected) this.#child.send(message)
  }

  /** @param {object} [message] */
  ask(message = {}) {
    this.send(message)
    return this.answer()
  }

  /** Ends it as the system does that runs out of memory: nothing of it gets a last word. */
  async kill() {
    running.delete(this)
    this.#child.kill('SIGKILL')
    await this.#exit
  }

  async end() {
    running.delete(this)
    if (this.#child.connected) this.#child.disconnect()
    await this.#exit
  }
}

/** The gateway, started and listening. @returns {Promise<{ gateway: WorkerProcess, origin: string }>} */
export async function startGateway() {
  const gateway = new WorkerProcess('gateway.mjs')
  const { origin } = await gateway.answer()
  return { gateway, origin }
}

/** What a process of its own sends first. @param {ConstructorParameters<typeof WorkerProcess>} what */
export async function answerOf(...what) {
  const asked = new WorkerProcess(...what)
  const answer = await asked.answer()
  await asked.end()
  return answer
}

/** Ends what a measurement that failed has left behind. */
export async function endAll() {
  for (const asked of running) await asked.end()
}
