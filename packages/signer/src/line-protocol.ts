import type { Socket } from 'node:net'
import * as z from '../../../src/profile/zod-library.js'
import type { SignerRule } from './refusal.js'

// A question is one line of JSON, and so is its answer, with the question's number. A connection is kept for the next
// question, which is asked when the one before is answered.

/** What a client asks: to have these bytes signed, in base64. */
export const questionForm = z.object({ n: z.int(), token: z.optional(z.string()), bytes: z.string() })
export type Question = z.infer<typeof questionForm>

/** What the signer answers. A later one may know more rules than this client. */
export const answerForm = z.union([
  z.object({ n: z.int(), signature: z.string() }),
  z.object({ n: z.int(), rule: z.custom<SignerRule>(isRule), why: z.string() }),
  z.object({ n: z.int(), failure: z.string() }),
])
export type Answer = z.infer<typeof answerForm>

function isRule(rule: unknown): boolean {
  return typeof rule === 'string' && /^[a-z-]{1,40}$/.test(rule)
}

/** How long a client keeps a connection without a question, in milliseconds; a signer keeps it a little longer. */
export const keptMs = 10_000

interface Reader {
  resolve(line: string): void
  reject(why: Error): void
}

/** One end of a connection: a line is read when it is wanted, and what comes unasked ends the connection. */
export class LineConnection {
  readonly socket: Socket
  readonly #longest: number
  #line = ''
  #reader: Reader | undefined

  /** @param longest of a line, in characters. */
  constructor(socket: Socket, longest: number) {
    this.#longest = longest
    this.socket = socket
      .setEncoding('utf8')
      .on('data', (text: string) => this.#take(text))
      .on('error', (why) => this.#reader?.reject(why))
      .on('close', () => this.#reader?.reject(new Error(closed)))
  }

  send(json: Question | Answer): void {
    this.socket.write(`${JSON.stringify(json)}\n`)
  }

  /** The next line. Rejects where the connection ends before. */
  read(): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed) reject(new Error(closed))
      this.#reader = { resolve, reject }
    })
  }

  #take(text: string): void {
    this.#line += text
    // Of what has just come: a line that comes by single characters is not searched anew at each.
    const end = text.indexOf('\n')
    const reader = this.#reader
    if (reader === undefined || (end !== -1 && end !== text.length - 1)) {
      this.socket.destroy(new Error('the other side said more than it was asked'))
    } else if (this.#line.length > this.#longest) {
      this.socket.destroy(new Error(`the other side's line is longer than ${this.#longest} characters`))
    } else if (end !== -1) {
      const line = this.#line
      this.#line = ''
      this.#reader = undefined
      reader.resolve(line)
    }
  }
}

const closed = 'the connection was closed without an answer'
