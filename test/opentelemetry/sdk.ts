import { context, propagation, SpanKind } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll } from 'vitest'
import { instrumentGateway } from '../../src/opentelemetry/index.js'

/** The real SDK, with exporters that keep what they get. */
export function sdk() {
  const spans = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  const exported = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({
    exporter: exported,
    // Never by itself: a test asks for them.
    exportIntervalMillis: 2 ** 31 - 1,
  })
  const meterProvider = new MeterProvider({ readers: [reader] })
  async function metrics() {
    exported.reset()
    await meterProvider.forceFlush()
    return exported.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
  }
  return {
    tracerProvider,
    meterProvider,
    instrument: () => instrumentGateway({ tracerProvider, meterProvider }),
    spans: () => spans.getFinishedSpans(),
    forgetSpans: () => spans.reset(),
    /** All points of a metric, as of now. */
    async points(name: string): Promise<DataPoint<unknown>[]> {
      const points: DataPoint<unknown>[] = []
      for (const { descriptor, dataPoints } of await metrics()) {
        if (descriptor.name === name) points.push(...dataPoints)
      }
      return points
    },
    /** The names of all metrics and of all their labels, as Prometheus writes them. */
    async vocabulary() {
      const all = await metrics()
      const labels = all.flatMap(({ dataPoints }) =>
        dataPoints.flatMap(({ attributes }) => Object.keys(attributes)),
      )
      const written = (names: readonly string[]) => names.map((name) => name.replaceAll('.', '_'))
      return { names: written(all.map(({ descriptor }) => descriptor.name)), labels: written(labels) }
    },
    async end() {
      await meterProvider.shutdown()
      await tracerProvider.shutdown()
    },
  }
}

/** What an application's SDK registers for the whole process. */
export function registerGlobals(): void {
  const manager = new AsyncLocalStorageContextManager()
  beforeAll(() => {
    context.setGlobalContextManager(manager.enable())
    propagation.setGlobalPropagator(
      new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
    )
  })
  afterAll(() => {
    context.disable()
    propagation.disable()
  })
}

/** Spans as a tree of kinds and names; siblings by name, since clocks are too coarse for an order. */
export function tree(spans: readonly ReadableSpan[], parent?: string): Record<string, unknown>[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId))
  return spans
    .filter((span) => {
      const above = span.parentSpanContext?.spanId
      return parent === undefined ? above === undefined || !ids.has(above) : above === parent
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((span) => {
      const below = tree(spans, span.spanContext().spanId)
      return { [`${SpanKind[span.kind]} ${span.name}`]: below.length === 0 ? {} : below }
    })
}
