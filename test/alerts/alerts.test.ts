import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const docs = resolve(import.meta.dirname, '../../docs/alerts')
const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-alerts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** It comes with Debian's package prometheus. `.ci/run` fails without it. */
const isThere = spawnSync('promtool', ['--version']).status === 0

function promtool(command: 'check' | 'test', content: object) {
  const file = join(folder, `${command}.json`)
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(content))
  const { status, stdout, stderr } = spawnSync('promtool', [command, 'rules', file], { encoding: 'utf8' })
  return { status, says: stdout + stderr }
}

/** Series by the minute, in the notation of `promtool test rules`; the names without `merchant_gateway_`. */
type SeriesByName = Readonly<Record<string, string>>

const labels = /(?<=[{,])(?!instance|url_template|http_response)/g
const written = (series: SeriesByName) =>
  Object.entries(series).map(([name, values]) => ({
    series: `merchant_gateway_${name.replace(labels, 'merchant_gateway_').replace('{', '{job="shop",')}`,
    values,
  }))

/** The alarms that these series have raised at each of these minutes. */
function expectAlarms(series: SeriesByName, at: Readonly<Record<number, string | undefined>>): void {
  const expected = Object.entries(at).map(([minute, alarm]) => ({
    expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: `${minute}m`,
    exp_samples: alarm === undefined ? [] : [{ labels: `{alertname="MerchantGateway${alarm}"}`, value: 1 }],
  }))
  const tests = [{ interval: '1m', input_series: written(series), promql_expr_test: expected }]
  const ended = promtool('test', { rule_files: [join(docs, 'rules.yml')], evaluation_interval: '1m', tests })
  expect(ended).toEqual({ status: 0, says: expect.any(String) })
}

/** What goes wrong for a while, its one alarm, a minute at which that is raised, and one at which it is over. */
const incident = (what: string, alarm: string, raised: number, over: number, series: SeriesByName) =>
  [what, alarm, raised, over, series] as const

const incidents = [
  // Both are there from the beginning.
  incident('the function fails', 'PaidAndNotTold', 40, 100, {
    'callbacks_total{callback_result="failed"}': '0+1x60 60x60',
    'caught_up_total{catch_up_result="failed"}': '0x120',
  }),
  incident('it fails for a sweep', 'PaidAndNotTold', 40, 100, {
    'callbacks_total{callback_result="failed"}': '0x120',
    'caught_up_total{catch_up_result="failed"}': '0+1x60 60x60',
  }),
  incident('a payout stands', 'PayoutsStanding', 1450, 1530, {
    'open_payment_age{payment_kind="payout"}': '0+60x1500 0x60',
  }),
  incident('a payout stands, where an exporter writes the unit', 'PayoutsStanding', 1450, 1530, {
    'open_payment_age_seconds{payment_kind="payout"}': '0+60x1500 0x60',
  }),
  incident('callbacks stop for all processes that take any', 'CallbacksStopped', 80, 100, {
    'creates_total{outcome="accepted"}': '0+2x150',
    'callback_age_seconds{instance="worker"}': '0+60x90 0+60x60',
    'callback_age_seconds{instance="web"}': '0+60x150',
  }),
  incident('the key is refused', 'KeyRefused', 20, 50, {
    'attempts_total{url_template="/api/auth-tokens",http_response_status_code="401"}': '0+1x30 30x30',
  }),
  incident('the rate is spent', 'RateSpent', 20, 40, { 'queue_depth{priority="customer"}': '21x30 0x30' }),
  incident('answers are lost', 'OutcomeUnknown', 40, 100, {
    'creates_total{outcome="unknown"}': '0+1x60 60x60',
  }),
  incident('money leaves, and the gauge is there for an hour', 'UnexplainedDifference', 600, 1520, {
    'balances_unexplained{currency="EUR"}': '0x10 -250x60 _x1500',
  }),
  incident('money comes', 'UnexplainedDifference', 600, 1520, {
    'balances_unexplained{currency="EUR"}': '0x10 0.01x60 _x1500',
  }),
]

/** What happens every day. */
const quiet: Readonly<Record<string, SeriesByName>> = {
  'the function failed once': {
    'callbacks_total{callback_result="failed"}': '0x10 1x120',
    'caught_up_total{catch_up_result="failed"}': '0x120',
  },
  'a response was lost once': { 'creates_total{outcome="unknown"}': '0x10 1x120' },
  'a payin is abandoned': { 'open_payment_age{payment_kind="payin"}': '0+60x1600' },
  'a payout takes a night': { 'open_payment_age{payment_kind="payout"}': '0+60x1200 0x300' },
  'nobody buys at night': {
    'creates_total{outcome="accepted"}': '9x600',
    'callback_age_seconds{instance="web"}': '0+60x600',
  },
  'one process takes callbacks and another does not': {
    'creates_total{outcome="accepted"}': '0+2x150',
    'callback_age_seconds{instance="worker"}': '0+60x150',
    'callback_age_seconds{instance="web"}': '30x150',
  },
  'another request is refused, and a token request is wrong': {
    'attempts_total{url_template="/api/payouts/{idPayout}",http_response_status_code="401"}': '0+1x60',
    'attempts_total{url_template="/api/auth-tokens",http_response_status_code="503"}': '0+1x60',
  },
  'payouts in bulk wait': {
    'queue_depth{priority="background"}': '900x60',
    'queue_depth{priority="customer"}': '20x60',
  },
  'there is no difference': { 'balances_unexplained{currency="EUR"}': '0x1500' },
}

describe.skipIf(!isThere)('the rules for Prometheus', () => {
  test.each(incidents)('raise an alarm when %s, and end it', (_what, alarm, raised, over, series) => {
    expectAlarms(series, { [raised]: alarm, [over]: undefined })
  })

  test.each(Object.entries(quiet))('raise none when %s', (_what, series) => {
    expectAlarms(
      series,
      Object.fromEntries([20, 40, 80, 140, 1190, 1460].map((minute) => [minute, undefined])),
    )
  })

  test('blame a spent rate for answers that come too late, and raise one alarm', () => {
    const series = {
      'creates_total{outcome="unknown"}': '0+1x60',
      'queue_depth{priority="customer"}': '30x60',
    }
    expectAlarms(series, { 40: 'RateSpent' })
  })

  test('are beside a dashboard whose queries Prometheus can read', () => {
    const { panels } = JSON.parse(readFileSync(join(docs, 'dashboard.json'), 'utf8'))
    const rules = panels.map(({ targets: [{ expr }] }: { targets: [{ expr: string }] }, n: number) => ({
      record: `query_${n}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }))
    const { status, says } = promtool('check', { groups: [{ name: 'dashboard', rules }] })
    expect(says).toContain(`${panels.length} rules found`)
    expect(status).toBe(0)
  })
})
