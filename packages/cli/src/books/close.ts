import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { jsonOf } from '../../../../src/client/input/json.js'
import { readRegularFile } from '../../../../src/client/input/regular-file.js'
import { GatewayClient } from '../../../../src/index.js'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import { withFile, writeInOnePiece } from '../files.js'
import type { GatewayCallOptions } from '../gateway-call.js'
import type { Io } from '../io.js'
import { progressOn } from '../progress.js'
import { countOf, jsonLine, painter, printable, spanOf } from '../text.js'
import { type BooksOpening, type BooksProgress, type BooksResult, closeBooks, readOpening } from './index.js'
import { ownPaymentsOf } from './own-payments.js'
import { PartFile } from './part-file.js'
import { booksTable, linesOfBooks, sentenceOfUnexplained } from './tables.js'

export interface BooksCloseOptions extends GatewayCallOptions {
  readonly payments: string
  readonly opening?: string
  readonly out?: string
  readonly refresh?: string
}

/** Closes the books of the gateway of the environment, from a file to two files. */
export async function closeFiles(options: BooksCloseOptions, io: Io): Promise<void> {
  const { payments, refresh } = options
  const base = options.out ?? `${payments.replace(/\.csv$/i, '')}.books`
  const files = { next: `${base}.json`, table: `${base}.csv` }
  for (const file of Object.values(files)) {
    if (existsSync(file)) throw new CommandFailed(`${file} exists already; give another --out.`)
  }
  const opening = options.opening === undefined ? undefined : openingIn(options.opening)
  await ownPaymentsOf(payments)
  const client = GatewayClient.fromEnv({}, io.env)
  const part = new PartFile(`${base}.part`, opening?.closedAt ?? 'first')
  const stop = new AbortController()
  const interrupted = io.untilInterrupted().then((code) => {
    stop.abort()
    return code
  })
  const progress = progressOn(io)
  let isDone = false
  try {
    const books = await closeBooks({
      client,
      opening,
      payments: async () => {
        if (refresh !== undefined) await run(refresh, stop.signal)
        return ownPaymentsOf(payments)
      },
      resume: part.entries,
      onLookedUp: (entry) => part.add(entry),
      onProgress: sayOnce(io, progress.show),
      signal: stop.signal,
    })
    progress.end()
    if (!books.closed) throw stillMoving(books.moving)
    writeInOnePiece(files.table, booksTable(books), 0o600)
    writeInOnePiece(files.next, [`${JSON.stringify(books.next)}\n`], 0o600)
    isDone = true
    say(books, files, options, io)
  } catch (error) {
    progress.end()
    if (!stop.signal.aborted) throw error
    io.note('Stopped: nothing was closed. The same command goes on.')
    io.finish(await interrupted)
  } finally {
    part.close(isDone)
    await client.close()
  }
}

function say(books: BooksResult, files: object, { json }: BooksCloseOptions, io: Io): void {
  const { next: _, moves: __, closed: ___, ...shown } = books
  if (json === true) io.out(jsonLine({ ...shown, files }))
  else {
    for (const line of linesOfBooks(books)) io.out(printable(line))
    io.out(printable(`Written: ${Object.values(files).join(', ')}`))
    if (!books.addsUp) {
      io.note(`${painter(io.colours.err)('red', 'error:')} ${sentenceOfUnexplained(books.currencies)}`)
    }
  }
  io.finish(books.addsUp ? exitCodes.ok : exitCodes.refused)
}

/** How long it takes is said before it does; in a terminal a bar goes on from there. */
function sayOnce(io: Io, show: ReturnType<typeof progressOn>['show']): (progress: BooksProgress) => void {
  let isSaid = false
  return ({ done, total, remainingMs }) => {
    if (!isSaid) io.note(`${countOf(total, 'look-up')}, ${spanOf(remainingMs)} at ten a second.`)
    isSaid = true
    show({ doing: 'looking up', done, total, besides: '' })
  }
}

function openingIn(file: string): BooksOpening {
  const json = jsonOf(withFile(file, () => readRegularFile(file)))
  if (json === undefined) throw new CommandFailed('--opening must name a file that a close has written.')
  return readOpening(json)
}

function stillMoving(moving: readonly string[]): CommandFailed {
  return new CommandFailed(
    `money in ${moving.join(', ')} moved in every round, so nothing was closed; run it again in a quieter hour.`,
    exitCodes.refused,
  )
}

async function run(command: string, signal: AbortSignal): Promise<void> {
  const options: SpawnOptions = { shell: true, stdio: ['ignore', 'ignore', 'inherit'], signal }
  const [code, by] = await once(spawn(command, options), 'exit').catch(() => [])
  if (code === 0) return
  signal.throwIfAborted()
  const end = code ?? by ?? 'nothing: no shell took it'
  throw new CommandFailed(
    `the command of --refresh ended with ${end}, so nothing was closed.`,
    exitCodes.refused,
  )
}
