import type { Socket } from 'node:net'
import { jsonOf } from '../../../src/client/input/json.js'
import * as z from '../../../src/profile/zod-library.js'
import { type Answer, answerForm, keptMs, LineConnection, type Question } from './line-protocol.js'

/** The longest answer: a signature of a key of 16,384 bits, or a sentence. */
const longestAnswer = 4096

/** Asks a signer. One connection is kept for the next question; of several at the same time each has its own. */
export class Questions {
  readonly #connect: () => Socket
  readonly #timeoutMs: number
  #count = 0
  #kept: LineConnection | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(connect: () => Socket, timeoutMs: number) {
    this.#connect = connect
    this.#timeoutMs = timeoutMs
  }

  /** Rejects with what the connection failed by, or after the time limit. */
  async ask(what: Omit<Question, 'n'>): Promise<Answer> {
    this.#count += 1
    const question = { n: this.#count, ...what }
    const kept = this.#takeKept()
    let connection = kept ?? this.#open()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      const why = `the signer gave no answer in ${this.#timeoutMs} ms (timeoutMs): check that it is not stopped, and that the disk of its log answers`
      connection.socket.destroy(new Error(why))
    }, this.#timeoutMs)
    try {
      return await this.#askOver(connection, question).catch((error: unknown) => {
        // The signer may have ended since, and another begun. Asking again is safe: an id counts once.
        if (connection !== kept || isLate) throw error
        connection = this.#open()
        return this.#askOver(connection, question)
      })
    } finally {
      clearTimeout(timer)
    }
  }

  #open(): LineConnection {
    return new LineConnection(this.#connect(), longestAnswer)
  }

  /** A connection whose answer is late, or is none, ends: what it says afterwards answers no other question. */
  async #askOver(connection: LineConnection, question: Question): Promise<Answer> {
    try {
      connection.send(question)
      const { data: answer } = z.safeParse(answerForm, jsonOf(await connection.read()))
      if (answer?.n !== question.n) throw new Error('the signer gave an answer that is none')
      this.#keep(connection)
      return answer
    } catch (error) {
      connection.socket.destroy()
      throw error
    }
  }

  /** It keeps no process from its end, and ends where no question comes. */
  #keep(connection: LineConnection): void {
    const { socket } = connection
    if (this.#kept?.socket.destroyed === false) {
      socket.destroy()
      return
    }
    socket.unref()
    clearTimeout(this.#idle)
    this.#kept = connection
    this.#idle = setTimeout(() => socket.destroy(), keptMs).unref()
  }

  #takeKept(): LineConnection | undefined {
    const kept = this.#kept
    this.#kept = undefined
    kept?.socket.ref()
    clearTimeout(this.#idle)
    return kept
  }
}
