import {
  type Attributes,
  createNoopMeter,
  type Meter,
  type MetricOptions,
  type ObservableCallback,
  type ObservableGauge,
} from '@opentelemetry/api'

/** A series in the notation of `promtool test rules`. */
export interface Series {
  readonly series: string
  readonly values: string
}

/**
 * Keeps what Prometheus would have of a process: a value for each time that it looks. The SDK would take most of a
 * simulated year; that the metrics work with it is shown in test/opentelemetry. Histograms are left out.
 */
export class Recorder {
  readonly #series = new Map<string, { value: number; readonly seen: (number | undefined)[] }>()
  readonly #callbacks: (() => void)[] = []
  #looks = 0

  readonly meter: Meter = Object.assign(createNoopMeter(), {
    createCounter: (name: string) => this.#sum(`${name}_total`),
    createUpDownCounter: (name: string) => this.#sum(name),
    createObservableGauge: (name: string, { unit }: MetricOptions = {}): ObservableGauge => {
      const put = this.#writer(unit === 's' ? `${name}_seconds` : name)
      const observe = (value: number, labels: Attributes = {}) => put(labels, () => value)
      const addCallback = (callback: ObservableCallback) => this.#callbacks.push(() => callback({ observe }))
      return { addCallback, removeCallback: () => undefined }
    },
  })

  look(): void {
    for (const callback of this.#callbacks) callback()
    for (const { value, seen } of this.#series.values()) seen[this.#looks] = Math.round(value * 100) / 100
    this.#looks++
  }

  /** In parts of so many looks, each with the last looks of the part before: promtool slows down over a long time. */
  written(looks: number, again: number): Series[][] {
    const parts: Series[][] = []
    for (let from = 0; from < this.#looks; from += looks) {
      const part = ({ seen }: { readonly seen: readonly (number | undefined)[] }) =>
        inRuns([...seen].slice(Math.max(0, from - again), from + looks))
      parts.push([...this.#series].map(([series, one]) => ({ series, values: part(one) })))
    }
    return parts
  }

  #sum(name: string) {
    const put = this.#writer(name)
    return { add: (value: number, labels: Attributes = {}) => put(labels, (before) => before + value) }
  }

  #writer(name: string) {
    return (labels: Attributes, change: (before: number) => number) => {
      const key = nameOf(name, labels)
      const one = this.#series.get(key) ?? { value: 0, seen: [] }
      this.#series.set(key, one)
      one.value = change(one.value)
    }
  }
}

/** As exporters write it: https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/ */
function nameOf(name: string, labels: Attributes): string {
  const written = Object.entries({ job: 'shop', ...labels }).map(
    ([label, value]) => `${label.replaceAll('.', '_')}=${JSON.stringify(String(value))}`,
  )
  return `${name.replaceAll('.', '_')}{${written.join(',')}}`
}

/** `5+2x3` stands for 5, 7, 9, 11, and `_x2` for two that are missing. */
function inRuns(values: readonly (number | undefined)[]): string {
  const runs: string[] = []
  for (let at = 0; at < values.length; ) {
    const first = values[at]
    const step = (values[at + 1] ?? Number.NaN) - (first ?? Number.NaN)
    let count = 1
    while (at + count < values.length && follows(first, step * count, values[at + count])) count++
    if (first === undefined) runs.push(`_x${count}`)
    else if (count === 1) runs.push(String(first))
    else runs.push(`${first}${step < 0 ? '-' : '+'}${Math.abs(Math.round(step * 100) / 100)}x${count - 1}`)
    at += count
  }
  return runs.join(' ')
}

function follows(first: number | undefined, by: number, value: number | undefined): boolean {
  if (first === undefined || value === undefined) return first === value
  return Math.abs(first + by - value) < 0.001
}
