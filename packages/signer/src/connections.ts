import type { Socket } from 'node:net'
import { jsonOf } from '../../../src/client/input/json.js'
import * as z from '../../../src/profile/zod-library.js'
import { type Answer, keptMs, LineConnection, type Question, questionForm } from './line-protocol.js'
import { longestRequest } from './token-request.js'

const mostConnections = 128
/** Of a whole first question; an honest one comes in one piece. */
const firstQuestionMs = 5000
/** A client ends its connection before. */
const nextQuestionMs = 2 * keptMs
/** In base64, with a token beside it. */
const longestQuestion = 2 * longestRequest

/** The connections of a signer. On each, one question is answered after the other. */
export class Connections {
  readonly #answerTo: (question: Question) => Promise<Answer>
  readonly #all = new Set<Socket>()
  /** Those that wait for a question, the longest wait first; and whether one of a client was answered before. */
  readonly #waiting = new Map<Socket, boolean>()

  constructor(answerTo: (question: Question) => Promise<Answer>) {
    this.#answerTo = answerTo
  }

  add(socket: Socket): void {
    if (this.#all.size >= mostConnections) this.#end(this.#leastNeeded() ?? socket)
    if (socket.destroyed) return
    this.#all.add(socket)
    socket.once('close', () => this.#end(socket))
    this.#serve(socket).catch(() => this.#end(socket))
  }

  endAll(): void {
    for (const socket of this.#all) this.#end(socket)
  }

  /** Whoever asks nothing keeps nobody else from asking, and least of all who never asked. */
  #leastNeeded(): Socket | undefined {
    const waiting = [...this.#waiting]
    const [socket] = waiting.find(([, isClient]) => !isClient) ?? waiting[0] ?? []
    return socket
  }

  #end(socket: Socket): void {
    this.#all.delete(socket)
    this.#waiting.delete(socket)
    socket.destroy()
  }

  async #serve(socket: Socket): Promise<void> {
    const connection = new LineConnection(socket, longestQuestion)
    let isClient = false
    for (;;) {
      const late = setTimeout(() => this.#end(socket), isClient ? nextQuestionMs : firstQuestionMs)
      this.#waiting.set(socket, isClient)
      const line = await connection.read().finally(() => clearTimeout(late))
      this.#waiting.delete(socket)
      const { data: question } = z.safeParse(questionForm, jsonOf(line))
      // Who does not read the answers gets no more of them.
      if (question === undefined || socket.writableLength > 0) throw new Error('that is no question')
      const answer = await this.#answerTo(question)
      connection.send(answer)
      isClient = !('failure' in answer)
    }
  }
}
