import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tableAfter } from '../../../test/readme/markdown.js'
import { faultForms } from '../src/page/api/actions/faults.js'
import { run } from './cli/here.js'
import { pageOf } from './page/api/page.js'

const root = new URL('../../../', import.meta.url)
const guide = ['faults', 'sandbox-api']
  .map((name) => readFileSync(new URL(`docs/${name}.md`, root), 'utf8'))
  .join('\n')
const rows = tableAfter(guide, '| what | by code |')
const inTicks = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, inside = '']) => inside)

const order = {
  kind: 'payin',
  id: 'order-1',
  amount: 10.5,
  currencyCode: 'EUR',
  callbackUrl: 'http://shop.example/hook',
}

/** What is sent with a request of the table that does nothing without. */
const bodies: Readonly<Record<string, unknown>> = {
  'POST /faults': { at: 'request', route: '*', action: { kind: 'timeout' } },
  'POST /clock': { skewMs: 1000 },
  'POST /limiter': { kind: 'evenly-spaced', limit: 2 },
  'POST /balances': { amount: 12.5, currencyCode: 'EUR' },
  'POST /payments/payin/order-1/status': { status: 'UNDER_REVIEW', processed: true },
  'POST /create': { ...order, kind: 'payout' },
}

describe('the table of all that the sandbox can do', () => {
  test.each([
    ['sandbox.fault', 'request'],
    ['sandbox.callbackFault', 'callback'],
  ])('has every kind of %s with its fields, by the words that the page has for it', (call, place) => {
    const table = tableAfter(guide, `| fault at ${place}s, \`${call}\` |`)
    const shown = table.map(([kind, fields, onPage]) => [...inTicks(kind), ...inTicks(fields), onPage])
    const forms = faultForms.filter(({ at }) => at === place)
    const known = forms.map(({ kind, label, fields }) => [kind, ...fields.map(({ name }) => name), label])
    expect(shown).toEqual(known)
  })
})

describe('over HTTP and by command line', () => {
  const cells = rows.map(([, , typed = '']) => inTicks(typed))
  const requests = [...new Set(cells.flat().filter((text) => /^(?:GET|POST|DELETE) /.test(text)))]

  test('is something in every row', () => {
    for (const [first] of cells) expect(first).toMatch(/^(?:(?:GET|POST|DELETE) \/|(?:rehearse|sandbox)\b)/)
    expect(requests.length).toBeGreaterThan(15)
  })

  test.each(requests)('%s is taken', async (cell) => {
    await using page = await pageOf({ deliver: async () => ({ status: 204 }) })
    await page.ask('POST', 'create', order)
    page.sandbox.fault({ route: 'GET /balances', action: { kind: 'timeout' } })
    const [method = '', path = ''] = cell.split(' ')
    const headers = { 'content-type': 'application/json' }
    const body = method === 'POST' ? { headers, body: JSON.stringify(bodies[cell] ?? {}) } : {}
    const response = await fetch(`${page.url}/_sandbox/api${path}`, { method, ...body })
    expect(response.status, await response.text()).toBe(200)
  })

  test.each(cells.filter((names) => names.some((name) => name.startsWith('--'))))(
    '%s takes the options that stand beside it',
    async (command, ...names) => {
      const [first = '', ...others] = command.split(' ')
      const { stdout } = await run([first, '--help'])
      for (const name of [...others, ...names].filter((word) => word.startsWith('--'))) {
        expect(stdout).toMatch(new RegExp(`^  ${name}[ ,]`, 'm'))
      }
    },
  )
})
