import type { Channel } from './channel.js'
import type { Spoilt, WireFault } from './faults.js'

/** A response that has not been written yet. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What goes wrong with a response, of what can go wrong. */
export type AnswerFault = Exclude<WireFault, { readonly kind: 'request-ends' | 'early-answer' | 'late' }>

/** Writes a response as the fault has it. Resolves when the next request may be read, with whether one may come. */
export async function write(channel: Channel, answer: Answer, fault?: AnswerFault): Promise<boolean> {
  const { stream } = channel
  const send = (bytes: string | Buffer) =>
    new Promise<void>((resolve) => {
      // It may have ended meanwhile.
      if (stream.writable) stream.write(bytes, () => setImmediate(resolve))
      else resolve()
    })
  const whole = wholeAnswer(answer)
  if (fault === undefined) {
    await send(whole)
    return true
  }
  switch (fault.kind) {
    case 'answer-ends':
      if (fault.at > 0) await send(whole.subarray(0, fault.at))
      channel.end(fault.by)
      return false
    case 'drip':
      for (let at = 0; at < whole.length; at += fault.bytes) await send(whole.subarray(at, at + fault.bytes))
      return true
    case 'wrong-length': {
      const length = Math.max(0, Buffer.byteLength(answer.body) + fault.off)
      await send(head(answer, [`content-length: ${length}`]) + answer.body)
      channel.end(fault.by)
      return false
    }
    case 'chunked':
      await send(head(answer, ['transfer-encoding: chunked']) + chunks(answer.body, fault.spoilt))
      if (fault.spoilt === 'nothing') return true
      channel.end(fault.by)
      return false
    case 'no-length':
      await send(head(answer, ['connection: close']) + answer.body.slice(0, fault.at))
      channel.end(fault.by)
      return false
    case 'more':
      await send(Buffer.concat([whole, Buffer.from(fault.bytes)]))
      return true
  }
}

/** A response with its true length. */
export function wholeAnswer(answer: Answer): Buffer {
  return Buffer.from(head(answer, [`content-length: ${Buffer.byteLength(answer.body)}`]) + answer.body)
}

function head({ status, headers }: Answer, more: readonly string[]): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} X`, ...lines, ...more, '', ''].join('\r\n')
}

/** Two chunks and the end of them, or what the mistake makes of it. */
function chunks(body: string, spoilt: Spoilt): string {
  const bytes = Buffer.from(body)
  const middle = bytes.length >> 1
  const [first, second] = [bytes.toString('utf8', 0, middle), bytes.toString('utf8', middle)]
  const size = (text: string) => Buffer.byteLength(text).toString(16)
  const one = `${size(first)}\r\n${first}\r\n`
  const two = `${size(second)}\r\n${second}\r\n`
  switch (spoilt) {
    case 'nothing':
      return `${one}${two}0\r\n\r\n`
    case 'a size':
      return `${one}xyz\r\n${second}\r\n0\r\n\r\n`
    case 'a size too large':
      return `${one}ffffff\r\n${second}\r\n0\r\n\r\n`
    case 'no end':
      return one + two
    case 'a line end':
      return `${size(first)}\r\n${first}${two}0\r\n\r\n`
    case 'half':
      return `${one}${size(second)}\r\n${second.slice(0, second.length >> 1)}`
  }
}
