import { connect, type ListenOptions, type Server } from 'node:net'

/** @throws what the system says: `EADDRINUSE` where somebody else listens there. */
export function listenAt(server: Server, where: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Whether somebody listens at a socket; one whose process is gone refuses. */
export function isListenedAt(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', (error) => resolve('code' in error && error.code === 'EAGAIN'))
  })
}
