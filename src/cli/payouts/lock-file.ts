import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { isObject } from '../../input/own.js'
import { CommandFailed } from '../exit-codes.js'
import { fileProblem } from '../files.js'

/**
 * Keeps a second run away from a file of payouts while one is under way. What keeps the money safe are the
 * ids: two runs at once would ask twice and pay once. The lock spares that, and keeps the results in order.
 *
 * @returns how to give it back; the lock of a process that was killed is taken over by the next.
 * @throws {CommandFailed} when a run is under way.
 */
export function lock(path: string): () => void {
  if (!created(path)) takeOver(path)
  let isOurs = true
  return () => {
    // What is there afterwards may be another's.
    if (isOurs) rmSync(path, { force: true })
    isOurs = false
  }
}

/**
 * One at a time: two that found the same dead process would otherwise each remove the other's lock, and with
 * `--write-ids` each give the payouts ids of its own.
 */
function takeOver(path: string): void {
  const turn = `${path}.takeover`
  if (!created(turn)) throw isHeld(turn, holderOf(turn))
  try {
    const holder = holderOf(path)
    if (holder === undefined ? isNew(path) : mayBeAlive(holder)) throw isHeld(path, holder)
    rmSync(path, { force: true })
    if (!created(path)) throw isHeld(path, holderOf(path))
  } finally {
    rmSync(turn, { force: true })
  }
}

/** Who has just made the lock has not yet written into it. */
function isNew(path: string): boolean {
  const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  return Date.now() - mtimeMs < 10_000
}

interface Holder {
  readonly pid: number
  readonly host: string
}

function created(path: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600)
    try {
      writeFileSync(file, `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`)
    } finally {
      closeSync(file)
    }
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw new CommandFailed(`${path} ${fileProblem(error)}; nothing was sent.`)
  }
}

/** Undefined for what no run has written to its end. */
function holderOf(path: string): Holder | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isObject(read)) return undefined
    const { pid, host } = read
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : undefined
  } catch {
    return undefined
  }
}

/** Of another machine nothing can be known. */
function mayBeAlive({ pid, host }: Holder): boolean {
  if (host !== hostname()) return true
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isHeld(path: string, holder: Holder | undefined): CommandFailed {
  const who = holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host}`
  return new CommandFailed(
    `${who} is sending this file (${path}), so this one has sent nothing; if that process is gone, remove the lock file and run again.`,
  )
}
