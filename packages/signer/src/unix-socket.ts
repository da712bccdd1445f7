import { once } from 'node:events'
import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { ConfigurationError } from 'merchant-gateway'
import { whyOf } from './text.js'

/** @throws what the system says: `EADDRINUSE` where somebody else listens there. */
export async function listenAt(server: Server, path: string): Promise<void> {
  server.listen({ path })
  await once(server, 'listening')
}

/** Whether somebody listens at a socket; a socket whose process is gone refuses. */
export async function isListenedAt(path: string): Promise<boolean> {
  const probe = connect(path)
  try {
    await once(probe, 'connect')
    return true
  } catch (error) {
    // Its queue is full for a moment.
    return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
  } finally {
    probe.destroy()
  }
}

/** Listens at a Unix socket, in the place of one whose process is gone. Node removes it when the server is closed. */
export async function listenAtSocket(server: Server, path: string, mode: number): Promise<void> {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isSocket() === false) throw new Error('it is there already, and no socket')
    if (found !== undefined && (await isListenedAt(path))) throw new Error('another signer listens there')
    rmSync(path, { force: true })
    await listenAt(server, path)
    chmodSync(path, mode)
  } catch (cause) {
    server.close()
    const sentence = `${path} can't be listened at: ${whyOf(cause)}; nothing is signed.`
    throw new ConfigurationError(sentence, { option: 'socket' }, cause)
  }
}
