import type { Connecting, Send, Transport } from './transport.js'

/** A transport that is loaded by the first request: importing the package stays quick. */
export function lazyTransport(load: () => Promise<Transport>): Transport {
  let loading: Promise<Transport> | undefined
  const loadOnce = () => {
    loading ??= load().then((loaded) => {
      // From now on requests go straight to it.
      transport.send = loaded.send
      transport.connect = loaded.connect ?? (() => undefined)
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
      connectLater(
        loadOnce().catch(() => {
          loading = undefined
          return undefined
        }),
      ),
    async close() {
      // One that could not be loaded has nothing to close.
      await (await loading?.catch(() => undefined))?.close()
    },
  }
  return transport
}

/** Connects when what connects is there, unless nobody waits for it by then. */
function connectLater(loading: Promise<Pick<Transport, 'connect'> | undefined>): Connecting {
  let isGivenUp = false
  let connecting: Connecting | undefined
  const done = loading.then((loaded) => {
    if (!isGivenUp) connecting = loaded?.connect?.()
    return connecting?.done
  })
  return {
    done,
    giveUp() {
      isGivenUp = true
      connecting?.giveUp()
    },
  }
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }
