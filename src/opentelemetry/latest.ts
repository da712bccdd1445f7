import type { Attributes, ObservableGauge, ObservableResult } from '@opentelemetry/api'

interface Figure {
  readonly labels: Attributes
  readonly valueAt: (now: number) => number
  readonly endsAt: number
}

/** Shows by a gauge what was heard last for each set of labels, and 0 when that is too old. */
export class Latest {
  readonly #gauge: ObservableGauge
  readonly #figures = new Map<string, Figure>()

  constructor(gauge: ObservableGauge) {
    this.#gauge = gauge
    gauge.addCallback(this.#observe)
  }

  /** @param valueAt the value by the monotonic clock, which is in milliseconds. */
  show(labels: Attributes, forMs: number, valueAt: Figure['valueAt']): void {
    this.#figures.set(JSON.stringify(labels), { labels, valueAt, endsAt: performance.now() + forMs })
  }

  stop(): void {
    this.#gauge.removeCallback(this.#observe)
  }

  readonly #observe = (result: ObservableResult) => {
    const now = performance.now()
    for (const { labels, valueAt, endsAt } of this.#figures.values()) {
      // The SDK would go on showing a value that is not observed any more.
      result.observe(now < endsAt ? valueAt(now) : 0, labels)
    }
  }
}
