import type { Connecting, Send, Transport, TransportFailure } from './transport.js'

/**
 * A transport that is loaded by the first request: importing the package stays quick.
 *
 * @param loadReader loads what reads answers, once, and never rejects: it comes while a request is under way.
 */
export function lazyTransport(load: () => Promise<Transport>, loadReader: () => Promise<void>): Transport {
  let loading: Promise<Transport> | undefined
  const loadOnce = () => {
    if (loading === undefined) {
      const reader = loadReader()
      loading = load().then((loaded) => {
        transport.connect = () => loaded.connect?.()
        // From then on requests go straight to it.
        void reader.then(() => {
          transport.send = loaded.send
        })
        return loaded
      })
    }
    return loading
  }
  const loadFirst: Send = async (request) => {
    const askedAt = performance.now()
    const came = await loadOnce().then(
      (loaded) => {
        const timeoutMs = Math.max(0, request.timeoutMs - (performance.now() - askedAt))
        return loaded.send({ ...request, timeoutMs })
      },
      (cause): TransportFailure => {
        loading = undefined
        return { kind: 'unloadable', cause }
      },
    )
    await loadReader()
    return came
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
export function connectLater(loading: Promise<Pick<Transport, 'connect'> | undefined>): Connecting {
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
