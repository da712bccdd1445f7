import { createReadStream } from 'node:fs'
import { jsonOf } from '../../client/input/json.js'
import { isObject } from '../../client/input/own.js'
import { openRegularFile } from '../../client/input/regular-file.js'
import type { PaymentKind } from '../../index.js'
import { linesOf } from '../../payments/files/lines.js'
import { CommandFailed } from '../exit-codes.js'
import { fileProblem } from '../files.js'

/** A line of `paymentLog` about the payment; what is in it is a text or a number, or is passed over. */
export interface LogLine {
  readonly time: string
  readonly event: string
  readonly kind: PaymentKind
  /** The process that wrote it, and which of its calls. */
  readonly process: string
  readonly pid: number | undefined
  readonly host: string | undefined
  readonly call: number | undefined
  readonly name: string | undefined
  readonly attempt: number | undefined
  readonly method: string | undefined
  readonly status: number | undefined
  readonly outcome: string | undefined
  readonly replayed: boolean
  readonly failure: string | undefined
  readonly code: string | undefined
  readonly message: string | undefined
  readonly result: string | undefined
  readonly paymentStatus: string | undefined
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

function lineOf(line: unknown, id: string): LogLine | undefined {
  if (!isObject(line) || line.v !== 1) return undefined
  const text = (name: string) => {
    const { [name]: value } = line
    return typeof value === 'string' ? value : undefined
  }
  const number = (name: string) => {
    const { [name]: value } = line
    return typeof value === 'number' ? value : undefined
  }
  const kind = line.idPayin === id ? 'payin' : line.idPayout === id ? 'payout' : undefined
  const [time, event, process] = [text('time'), text('event'), text('process')]
  if (kind === undefined || time === undefined || event === undefined || process === undefined)
    return undefined
  return {
    time,
    event,
    kind,
    process,
    pid: number('pid'),
    host: text('host'),
    call: number('call'),
    name: text('name'),
    attempt: number('attempt'),
    method: text('method'),
    status: number('status'),
    outcome: text('outcome'),
    replayed: line.replayed === true,
    failure: text('failure'),
    code: text('code'),
    message: text('message'),
    result: text('result'),
    paymentStatus: text('paymentStatus'),
  }
}
