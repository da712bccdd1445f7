import type { Socket } from 'node:net'
import * as z from 'zod/mini'
import type { SignerRule } from './refusal.js'
import { jsonOf } from './text.js'
import { longestRequest } from './token-request.js'

// A connection carries one question and its response, each a line of JSON.

/** A signature of these bytes, in base64. */
const question = z.object({ bytes: z.string() })

/** A later signer may know more rules than this client. */
const answer = z.union([
  z.object({ signature: z.string() }),
  z.object({ rule: z.custom<SignerRule>(isRule), why: z.string() }),
  z.object({ failure: z.string() }),
])
export type Answer = z.infer<typeof answer>

function isRule(rule: unknown): boolean {
  return typeof rule === 'string' && /^[a-z-]{1,40}$/.test(rule)
}

/** The longest response, in characters: a signature of a key of 16,384 bits, or a sentence. */
const longestAnswer = 4096
/** In base64, with JSON around it. */
const longestQuestion = 2 * longestRequest

export function say(socket: Socket, json: z.infer<typeof question> | Answer): void {
  socket.write(`${JSON.stringify(json)}\n`)
}

/** What a client asks to have signed. Rejects where it asks for nothing, or for more. */
export async function bytesAsked(socket: Socket): Promise<Uint8Array> {
  const { bytes } = z.parse(question, jsonOf(await lineOf(socket, longestQuestion)))
  return Buffer.from(bytes, 'base64')
}

/** What a signer answers. Rejects with what the connection failed by, or where it is no response. */
export async function ask(socket: Socket, bytes: Uint8Array): Promise<Answer> {
  say(socket, { bytes: Buffer.from(bytes).toString('base64') })
  const { data } = z.safeParse(answer, jsonOf(await lineOf(socket, longestAnswer)))
  if (data === undefined) throw new Error('the signer gave a response that is none')
  return data
}

/** The one line that the other side says. Rejects where it says more, or the connection ends before. */
function lineOf(socket: Socket, longest: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket
      .setEncoding('utf8')
      .on('error', reject)
      .on('close', () => reject(new Error('the connection was closed without a response')))
      .on('data', (chunk: string) => {
        text += chunk
        // Only what has just come is searched.
        const end = chunk.indexOf('\n')
        if (text.length > longest || (end !== -1 && end !== chunk.length - 1))
          socket.destroy(new Error('the other side said more than it was asked'))
        else if (end !== -1) resolve(text)
      })
  })
}
