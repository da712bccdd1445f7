export type Settled<T> = { readonly value: T } | { readonly error: unknown }

interface EndOfTrace {
  readonly durationMs?: number
  readonly error?: unknown
}

interface TracesPromises<Event> {
  tracePromise(run: () => Promise<void>, event: Event): Promise<unknown>
}

/** Whatever the channel does, `run` runs once, and its end is the end. The event gets no `result`: that would be a payment or a token. */
export async function trace<T, Event extends object>(
  channel: TracesPromises<Event>,
  event: Event,
  run: () => Promise<T>,
  endOf: (settled: Settled<T>) => EndOfTrace,
): Promise<T> {
  let running: Promise<T> | undefined
  const traced = async () => {
    running = run()
    const settled = await running.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    const fields = endOf(settled)
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) Reflect.set(event, name, value)
    }
    if (fields.error !== undefined) throw fields.error
  }
  try {
    await channel.tracePromise(traced, event)
  } catch {}
  return running ?? run()
}
