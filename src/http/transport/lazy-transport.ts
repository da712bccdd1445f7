import type { Transport } from './transport.js'

/** A transport that is loaded by the first request: importing the package stays quick. */
export function lazyTransport(load: () => Promise<Transport>): Transport {
  let wire: Transport | undefined
  let loading: Promise<Transport> | undefined
  return {
    send(request) {
      if (wire !== undefined) return wire.send(request)
      const askedAt = performance.now()
      loading ??= load()
      return loading.then(
        (loaded) => {
          wire = loaded
          const timeoutMs = Math.max(0, request.timeoutMs - (performance.now() - askedAt))
          return loaded.send({ ...request, timeoutMs })
        },
        (cause) => {
          loading = undefined
          return { kind: 'unloadable', cause }
        },
      )
    },
    async close() {
      // One that could not be loaded has nothing to close.
      await (await loading?.catch(() => undefined))?.close()
    },
  }
}
