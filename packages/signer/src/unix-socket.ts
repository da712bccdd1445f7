import { once } from 'node:events'
import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { connect, type ListenOptions, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { ConfigurationError } from '../../../src/index.js'

/** @throws what the system says: `EADDRINUSE` where somebody else listens there. */
export async function listenAt(server: Server, where: ListenOptions): Promise<void> {
  server.listen(where)
  await once(server, 'listening')
}

/** Whether somebody listens at a socket; one whose process is gone refuses. */
export async function isListenedAt(path: string): Promise<boolean> {
  const probe = connect(path)
  try {
    await once(probe, 'connect')
    return true
  } catch (error) {
    // So many ask it that it takes no more for a moment.
    return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
  } finally {
    probe.destroy()
  }
}

/**
 * Listens at a Unix socket that nobody can reach before it has its mode: it is made in a folder of its own and moved
 * into its place, where it follows no link.
 *
 * @returns takes the socket away, as long as it is this one.
 */
export async function listenAtSocket(server: Server, path: string, mode: number): Promise<() => void> {
  const why = await whyTaken(path)
  if (why !== undefined) throw wrong(`${path} ${why}`)
  try {
    const folder = mkdtempSync(join(dirname(path), '.signer-'))
    try {
      const made = join(folder, 's')
      await listenAt(server, { path: made })
      chmodSync(made, mode)
      renameSync(made, path)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  } catch (cause) {
    throw wrong(`${path} can't be made a socket`, cause)
  }
  const { ino } = lstatSync(path)
  return () => {
    if (lstatSync(path, { throwIfNoEntry: false })?.ino === ino) rmSync(path, { force: true })
  }
}

async function whyTaken(path: string): Promise<string | undefined> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  if (found.isSymbolicLink())
    return 'is a link, and whoever put it there would be asked in place of the signer'
  if (!found.isSocket()) return 'is there already, and no socket'
  return (await isListenedAt(path)) ? 'is listened at by another signer' : undefined
}

function wrong(what: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`${what}; nothing is signed.`, { option: 'socket' }, cause)
}
