import type { Socket } from 'node:net'
import * as z from '../profile/zod-library.js'
import type { SignerRule } from './refusal.js'

// A question is one line of JSON, and so is its answer. Each question has a connection of its own.

/** What a client asks: to have these bytes signed, in base64. */
export const questionForm = z.object({ token: z.optional(z.string()), bytes: z.string() })
export type Question = z.infer<typeof questionForm>

/** What the signer answers. A later one may know more rules than this client. */
export const answerForm = z.union([
  z.object({ signature: z.string() }),
  z.object({ rule: z.custom<SignerRule>(isRule), why: z.string() }),
  z.object({ failure: z.string() }),
])
export type Answer = z.infer<typeof answerForm>

function isRule(rule: unknown): boolean {
  return typeof rule === 'string' && /^[a-z-]{1,40}$/.test(rule)
}

export function sendLine(socket: Socket, json: Question | Answer): void {
  socket.write(`${JSON.stringify(json)}\n`)
}

/**
 * The line that the other side sends.
 *
 * @throws {Error} where it closes the connection before, or sends more than `longest` characters.
 */
export function readLine(socket: Socket, longest: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = ''
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed without an answer')))
    const onData = (text: string) => {
      // Of what has just come: a line that comes by single characters is not searched anew at each.
      const end = text.indexOf('\n')
      line += end === -1 ? text : text.slice(0, end)
      if (end === -1 && line.length <= longest) return
      // What follows is read and dropped, so that it takes no memory and the end is noticed.
      socket.off('data', onData).resume()
      if (end !== -1) resolve(line)
      else reject(new Error(`it is longer than ${longest} characters`))
    }
    socket.on('data', onData)
  })
}
