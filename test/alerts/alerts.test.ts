import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { createNoopMeter } from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { instrumentGateway } from '../../src/opentelemetry/index.js'
import type { Series } from './series.js'
import { incidents, quiet, type Story } from './story.js'

const docs = resolve(import.meta.dirname, '../../docs/alerts')
const rules = readFileSync(join(docs, 'rules.yml'), 'utf8')
const dashboard = JSON.parse(readFileSync(join(docs, 'dashboard.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-alerts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** It comes with Debian's package prometheus. `.ci/run` fails without it. */
const isThere = spawnSync('promtool', ['--version']).status === 0

/** A story in parts of a month. */
type Played = readonly (readonly Series[])[]

function promtool(command: 'check' | 'test', name: string, content: object) {
  const file = join(folder, name)
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(content))
  const { status, stdout, stderr } = spawnSync('promtool', [command, 'rules', file], { encoding: 'utf8' })
  return { status, says: stdout + stderr }
}

/** In a process of its own: it has another time than this one. */
async function play(stories: readonly Story[]): Promise<Played[]> {
  const run = join(import.meta.dirname, 'run.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [run, JSON.stringify(stories)], {
    maxBuffer: 2 ** 28,
  })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** What the rules make of a story: its one alarm, or none, and at the end none in any case. */
function alarms({ name, everyMs, evaluatedEveryMs, raises }: Story, parts: Played) {
  const fired = 'group by (alertname) (count_over_time(ALERTS{alertstate="firing"}[40d]))'
  const expected = raises === undefined ? [] : [{ labels: `{alertname="${raises}"}`, value: 1 }]
  const tests = parts.map((series) => {
    const eval_time = seconds((looksOf(series) - 1) * everyMs)
    return {
      interval: seconds(everyMs),
      input_series: series.filter((one) => isLookedAt(one)),
      promql_expr_test: [
        { expr: fired, eval_time, exp_samples: expected },
        { expr: 'ALERTS{alertstate="firing"}', eval_time, exp_samples: [] },
      ],
    }
  })
  const rule_files = [join(docs, 'rules.yml')]
  return promtool('test', `${name}.json`, {
    rule_files,
    evaluation_interval: seconds(evaluatedEveryMs),
    tests,
  })
}

function isLookedAt({ series }: Series): boolean {
  return rules.includes(series.replace(/(?:_seconds)?\{.*/, ''))
}

/** As many as a series has values that is there from the beginning. */
function looksOf([first]: readonly Series[]): number {
  const runs = first?.values.split(' ') ?? []
  return runs.reduce((sum, run) => sum + 1 + Number(/x(\d+)$/.exec(run)?.[1] ?? 0), 0)
}

function seconds(ms: number): string {
  return `${ms / 1000}s`
}

const played = new Map<Story, Played>()
beforeAll(async () => {
  const [[days = []], others] = await Promise.all([play([quiet]), play(incidents)])
  played.set(quiet, days)
  for (const [n, story] of incidents.entries()) played.set(story, others[n] ?? [])
}, 600_000)

describe.skipIf(!isThere)('the rules for Prometheus', () => {
  test.each(incidents)(
    'raise their one alarm, $raises, when $name, and end it',
    (story) => {
      expect(alarms(story, played.get(story) ?? [])).toEqual({ status: 0, says: expect.any(String) })
    },
    60_000,
  )

  test.each(incidents.slice(1, 3))(
    'know the metrics of exporters that write no unit, too: $name',
    (story) => {
      const parts = played.get(story) ?? []
      const unnamed = parts.map((part) =>
        part.map(({ series, values }) => ({ series: series.replace('_seconds{', '{'), values })),
      )
      expect(alarms(story, unnamed)).toEqual({ status: 0, says: expect.any(String) })
    },
    60_000,
  )

  test('raise none where one process takes callbacks and another does not', () => {
    const series = [
      { series: 'merchant_gateway_creates_total{merchant_gateway_outcome="accepted"}', values: '0+2x90' },
      { series: 'merchant_gateway_callback_age_seconds{instance="worker"}', values: '0+600x90' },
      { series: 'merchant_gateway_callback_age_seconds{instance="web"}', values: '30+0x90' },
    ]
    const story = { ...quiet, name: 'two processes' }
    expect(alarms(story, [series])).toEqual({ status: 0, says: expect.any(String) })
    // It is raised where nobody takes any.
    expect(alarms(story, [series.slice(0, 2)]).says).toContain('MerchantGatewayCallbacksStopped')
  })

  test('raise none in quiet days', () => {
    expect(alarms(quiet, played.get(quiet) ?? [])).toEqual({ status: 0, says: expect.any(String) })
  }, 300_000)
})

const queries: readonly string[] = dashboard.panels.map(
  ({ targets: [{ expr }] }: { targets: [{ expr: string }] }) => expr,
)

test.skipIf(!isThere)('Prometheus can read the queries of the dashboard', () => {
  const rule = queries.map((query, n) => ({
    record: `query_${n}`,
    expr: query.replaceAll('$__rate_interval', '5m'),
  }))
  const { status, says } = promtool('check', 'queries.json', { groups: [{ name: 'dashboard', rules: rule }] })
  expect(says).toContain(`${queries.length} rules found`)
  expect(status).toBe(0)
})

test('the rules and the dashboard name metrics and labels that are there, and no other', () => {
  const known = new Set<string>()
  const noop = createNoopMeter()
  const meter = new Proxy(noop, {
    get: (_, method) => (name: string, options: object) => {
      const base = name.replaceAll('.', '_')
      for (const end of ['', '_total', '_bucket']) known.add(base + end)
      return Reflect.apply(Reflect.get(noop, method), noop, [name, options])
    },
  })
  instrumentGateway({ meterProvider: { getMeter: () => meter } })()
  for (const { series } of [...played.values()].flat(2)) {
    for (const [, label = ''] of series.matchAll(/[{,](\w+)=/g)) known.add(label)
  }
  // On the histograms alone.
  known.add('merchant_gateway_call')
  const named =
    [rules, ...queries]
      .join('\n')
      .replaceAll('(_seconds)?', '')
      .match(/merchant_gateway_\w+/g) ?? []
  expect(named.length).toBeGreaterThan(30)
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([])
})
