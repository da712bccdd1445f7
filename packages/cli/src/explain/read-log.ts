import { createReadStream } from 'node:fs'
import { jsonOf } from '../../../../src/client/input/json.js'
import { openRegularFile } from '../../../../src/client/input/regular-file.js'
import type { PaymentKind } from '../../../../src/index.js'
import * as z from '../../../../src/profile/zod-library.js'
import { CommandFailed } from '../exit-codes.js'
import { linesOf } from '../files/lines.js'
import { fileProblem } from '../files.js'

/** What is no text, or no number, is passed over. */
const text = z.catch(z.optional(z.string()), undefined)
const number = z.catch(z.optional(z.number()), undefined)

/** A line of `paymentLog`. */
const lineSchema = z.object({
  v: z.literal(1),
  time: z.string(),
  event: z.string(),
  /** The process that wrote it, and which of its calls. */
  process: z.string(),
  pid: number,
  host: text,
  call: number,
  idPayin: text,
  idPayout: text,
  name: text,
  attempt: number,
  method: text,
  status: number,
  outcome: text,
  replayed: z.catch(z.optional(z.boolean()), undefined),
  failure: text,
  code: text,
  message: text,
  result: text,
  paymentStatus: text,
})

/** A line about the payment that is asked for. */
export interface LogLine extends Readonly<Omit<z.infer<typeof lineSchema>, 'v' | 'idPayin' | 'idPayout'>> {
  readonly kind: PaymentKind
}

/**
 * What logs say of one payment, in the order of time. Lines of other programs in them are passed over.
 *
 * @param files `-` is standard input.
 * @throws {CommandFailed} for one that can't be read.
 */
export async function readLogs(
  files: readonly string[],
  id: string,
  input: AsyncIterable<Uint8Array>,
): Promise<LogLine[]> {
  const found: LogLine[] = []
  const written = JSON.stringify(id)
  for (const file of files) {
    try {
      for await (const line of linesOf(file === '-' ? input : await chunksOf(file))) {
        if ('reason' in line || !line.text.includes(written)) continue
        const read = lineOf(jsonOf(line.text), id)
        if (read !== undefined) found.push(read)
      }
    } catch (error) {
      throw new CommandFailed(`${file} ${fileProblem(error)}.`)
    }
  }
  return found.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
}

/** A log may be larger than the memory. */
async function chunksOf(file: string): Promise<AsyncIterable<Uint8Array>> {
  await (await openRegularFile(file)).close()
  return createReadStream(file)
}

function lineOf(json: unknown, id: string): LogLine | undefined {
  const line = z.safeParse(lineSchema, json).data
  if (line?.idPayin === id) return { ...line, kind: 'payin' }
  return line?.idPayout === id ? { ...line, kind: 'payout' } : undefined
}
