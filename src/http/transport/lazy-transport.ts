import type { Send, Transport } from './transport.js'

/** A transport that is loaded by the first request: importing the package stays quick. */
export function lazyTransport(load: () => Promise<Transport>): Transport {
  let loading: Promise<Transport> | undefined
  const loadOnce = () => {
    loading ??= load().then((loaded) => {
      // From now on requests go straight to it.
      transport.send = loaded.send
      transport.connect = () => loaded.connect?.()
      return loaded
    })
    return loading
  }
  const loadFirst: Send = (request) => {
    const askedAt = performance.now()
    return loadOnce().then(
      (loaded) => {
        const timeoutMs = Math.max(0, request.timeoutMs - (performance.now() - askedAt))
        return loaded.send({ ...request, timeoutMs })
      },
      (cause) => {
        loading = undefined
        return { kind: 'unloadable', cause }
      },
    )
  }
  const transport: Mutable<Transport> = {
    send: loadFirst,
    connect: () =>
      loadOnce().then(
        (loaded) => loaded.connect?.(),
        () => {
          loading = undefined
        },
      ),
    async close() {
      // One that could not be loaded has nothing to close.
      await (await loading?.catch(() => undefined))?.close()
    },
  }
  return transport
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }
