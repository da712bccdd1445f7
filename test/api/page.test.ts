import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { routeNames } from '../../packages/sandbox/src/gateway/wire/routes.js'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { GatewayClient } from '../../src/index.js'
import { root } from '../support/root.js'
import { type Exported, readReport } from './read-report.js'

const page = readFileSync(join(root, 'api.md'), 'utf8')
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [/^`([^`]+)`/.exec(text)?.[1] ?? '', text]),
)

/** Whose methods a merchant calls, by how they are called there; a field's type brings its methods along. */
const callers: Readonly<Record<string, readonly (readonly [name: string, holder: string])[]>> = {
  'merchant-gateway': [
    ['client', 'GatewayClient'],
    ['token', 'ServerToken'],
  ],
  'merchant-gateway/callbacks': [
    ['receiver', 'CallbackReceiver'],
    ['store', 'MemoryDedupeStore'],
  ],
  'merchant-gateway-sandbox': [
    ['sandbox', 'Sandbox'],
    ['server', 'SandboxServer'],
    ['payment', 'SandboxPayment'],
    ['fault', 'FaultHandle'],
  ],
  'merchant-gateway-cli': [],
  'merchant-gateway-signer': [],
  'merchant-gateway/opentelemetry': [],
  'merchant-gateway/jobs': [],
  'merchant-gateway/bullmq': [],
  'merchant-gateway/redis': [],
  'merchant-gateway/postgres': [],
}

const entries = Object.entries(callers).map(([entry, roots]) => {
  const report = readReport(join(root, 'test/api/reports', `${entry.replace('/', '-')}.api.md`))
  return { entry, report, calls: callsOf(report, roots), text: sections.get(entry) ?? '' }
})

function callsOf(report: Exported, roots: readonly (readonly [string, string])[]): string[] {
  const { functions, methods, fields } = report
  const below = (caller: string, holder: string): string[] => [
    ...[...(methods.get(holder) ?? [])].map((call) =>
      call.startsWith('static ') ? `${holder}.${call.slice('static '.length)}` : `${caller}.${call}`,
    ),
    ...[...(fields.get(holder) ?? [])].flatMap(([field, type]) =>
      /^\(.*\) => /.test(type) ? [] : below(`${caller}.${field}`, type),
    ),
  ]
  return [...functions, ...roots.flatMap(([caller, holder]) => below(caller, holder))]
}

/** The methods that a section lists: the call, the endpoint, and what it does. */
function listed(text: string): { call: string; route: string | undefined; does: string }[] {
  const lines = text.matchAll(/^- \[`([^`]+)`\]\([^)]+\)(?: → `([^`]+)`)?(?:: (.+))?$/gm)
  return [...lines].map(([, call = '', route, does = '']) => ({ call, route, does }))
}

/** The names of types and values that a section lists, in paragraphs that begin with `Types:` and the like. */
function namesIn(text: string): string[] {
  const paragraphs = text.split('\n').filter((line) => /^(?:Types|Values|Classes): /.test(line))
  return paragraphs.flatMap((line) => [...line.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

describe('api.md', () => {
  it('has a section for every entry, and no other', () => {
    const reports = readdirSync(join(root, 'test/api/reports')).map((name) => name.replace('.api.md', ''))
    expect([...sections.keys()].map((entry) => entry.replace('/', '-')).sort()).toEqual(reports.sort())
    expect([...sections.keys()]).toEqual(entries.map(({ entry }) => entry))
  })

  it.each(entries)(
    'names every function and method of $entry, and none that is not there',
    ({ calls, text }) => {
      const onPage = listed(text)
        .map(({ call }) => call.replace(/\.\.\.\w+/, '...'))

        .filter((call) => !call.startsWith('new '))
      // An argument that is never there is a check of brackets.
      const plain = (call: string) => call.replace(/\(\.{3}\)$/, '()')
      expect(onPage.map(plain).sort()).toEqual([...new Set(calls.map(plain))].sort())
    },
  )

  it.each(entries)(
    'names every type and class of $entry once, and none that is not there',
    ({ report, text }) => {
      const functions = new Set(report.functions.map((call) => call.slice(0, call.indexOf('('))))
      const names = [...report.names].filter((name) => !functions.has(name))
      expect(namesIn(text).sort()).toEqual(names.sort())
    },
  )

  it('says of each in half a line what it does', () => {
    const silent = listed(page).filter(({ does }) => does === '' || does.length > 70)
    expect(silent).toEqual([])
  })

  it('names the methods that the client and its resources have at run time', async () => {
    await using sandbox = createSandbox()
    await using client = new GatewayClient(sandbox.clientOptions())
    const holders = [
      ['client', client] as const,
      ...Object.entries(client).map(([name, one]) => [`client.${name}`, one] as const),
    ]
    const calls = holders.flatMap(([caller, object]) =>
      Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object)))
        .filter(([, { value }]) => typeof value === 'function')
        .map(([name]) => name)
        .filter((name) => name !== 'constructor' && name !== 'toJSON')
        .map((name) => `${caller}.${name}(`),
    )
    expect(calls.length).toBeGreaterThan(20)
    expect(calls.filter((call) => !page.includes(`- [\`${call}`))).toEqual([])
  })

  it('names every endpoint that the gateway has, and no other', () => {
    const known = routeNames.map((route) =>
      route === 'GET /payins/{idPayin}/customer-account' ? 'GET {customerAccountPath}' : route,
    )
    const named = listed(page).flatMap(({ route }) => (route === undefined ? [] : [route]))
    expect([...new Set(named)].sort()).toEqual([...known].sort())
  })
})
