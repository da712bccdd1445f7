import type { TracingChannel } from 'node:diagnostics_channel'

export type Settled<T> = { readonly value: T } | { readonly error: unknown }

/** What the event says in the end. */
interface EndOfTrace {
  readonly durationMs?: number
  readonly error?: unknown
}

/**
 * Traces what `run` does. The event gets the fields of `endOf` when it ends, and no `result`: that would be a
 * customer's payment, or a token.
 */
export async function trace<T, Event extends object>(
  channel: TracingChannel<unknown, Event>,
  event: Event,
  run: () => Promise<T>,
  endOf: (settled: Settled<T>) => EndOfTrace,
): Promise<T> {
  const end: { settled?: Settled<T> } = {}
  const traced = async () => {
    end.settled = await run().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    const fields = endOf(end.settled)
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) Reflect.set(event, name, value)
    }
    if (fields.error !== undefined) throw fields.error
  }
  try {
    await channel.tracePromise(traced, event)
  } catch {}
  const { settled } = end
  if (settled !== undefined && 'value' in settled) return settled.value
  throw settled?.error
}
