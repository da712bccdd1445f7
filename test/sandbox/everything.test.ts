import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { callbackKinds, faultLabel, requestKinds } from '../../sandbox/src/desk/page/faults/fault-inputs.js'
import { callbackFaultFields, faultFields } from '../../sandbox/src/gateway/faults/fault-fields.js'
import { createSandbox } from '../../sandbox/src/index.js'
import { runHere } from '../cli/here.js'
import { tableAfter } from '../readme/markdown.js'
import { pageWithPayment, typed } from './typed.js'

const root = new URL('../../', import.meta.url)
const rows = tableAfter(readFileSync(new URL('docs/testing.md', root), 'utf8'), '| what | by code |')
const inTicks = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, inside = '']) => inside)
const named = new Set(rows.flatMap(([, byCode]) => inTicks(byCode)))

/** The names of an interface in a source. */
function membersOf(file: string, name: string): string[] {
  const text = readFileSync(new URL(`sandbox/src/gateway/${file}`, root), 'utf8')
  const [, inside = ''] =
    new RegExp(`interface ${name} (?:extends \\w+ )?\\{\\n([\\s\\S]*?)\\n\\}`).exec(text) ?? []
  return [...inside.matchAll(/^ {2}(?:readonly )?(\w+)[?(:]/gm)].map(([, member = '']) => member)
}

describe('the table of all that the sandbox can do', () => {
  test('leaves no cell empty', () => {
    expect(rows.length).toBeGreaterThan(40)
    for (const row of rows) {
      expect(row).toHaveLength(4)
      for (const cell of row) expect(cell, row.join()).not.toBe('')
    }
  })

  test('has every option, every method and every rare thing', () => {
    const options = membersOf('options.ts', 'SandboxOptions')
    expect(options.length).toBeGreaterThan(30)
    const methods = membersOf('sandbox.ts', 'Sandbox').filter((name) => name !== 'rare')
    expect(methods).toEqual(expect.arrayContaining(['fault', 'reset', 'clock', 'idle']))
    const payment = ['settle', 'sendCallback', 'processed']
    const listening = membersOf('transports/server.ts', 'ListenOptions')
    expect(listening).toContain('application')
    const form = membersOf('callbacks/form.ts', 'CallbackForm')
    expect(form).toContain('chunkGapMs')
    const aims = [
      ...membersOf('faults/fault.ts', 'FaultOptions'),
      ...membersOf('faults/callback-fault.ts', 'CallbackAim'),
    ]
    const rare = Object.keys(createSandbox().rare).map((name) => `rare.${name}`)
    const all = [
      ...options,
      ...methods.map((name) => `sandbox.${name}`),
      ...payment,
      ...listening,
      ...form,
      ...rare,
      'advance',
    ]
    const wanted = [...all, ...aims.filter((name) => name !== 'action')]
    expect(wanted.filter((name) => !named.has(name))).toEqual([])
  })

  test.each([
    ['sandbox.fault', faultFields, requestKinds],
    ['sandbox.callbackFault', callbackFaultFields, callbackKinds],
  ])('has every kind of %s with its fields, by the words that the page has for it', (call, fields, kinds) => {
    const shown = rows.flatMap(([, byCode, onPage]) => {
      const [first, ...others] = inTicks(byCode)
      return first === call && others.length > 0 ? [[...others, onPage]] : []
    })
    const words = new Map(Object.entries(kinds).map(([kind, one]) => [kind, faultLabel(kind, one)]))
    const known = Object.entries(fields).map(([kind, own]) => [
      kind,
      ...Object.keys(own),
      `Faults: ${words.get(kind)}`,
    ])
    expect(shown).toEqual(known)
  })

  test('the page asks for every field of every kind', () => {
    for (const [kinds, fields] of [
      [requestKinds, faultFields],
      [callbackKinds, callbackFaultFields],
    ] as const) {
      const asked = Object.entries(kinds).map(([kind, { inputs }]) => [kind, Object.keys(inputs).sort()])
      const taken = Object.entries(fields).map(([kind, own]) => [kind, Object.keys(own).sort()])
      expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(taken))
    }
  })
})

describe('the command line', () => {
  const cells = rows.map(([, , , typedCell = '']) => inTicks(typedCell))

  test('has a command in every row, and each of `control` is typed below', () => {
    for (const [first] of cells) expect(first).toMatch(/^(?:control|rehearse|sandbox|trigger)\b/)
    const commands = cells.flat().filter((text) => text.startsWith('control '))
    expect(typed.map(({ cell }) => cell).sort()).toEqual([...new Set(commands)].sort())
  })

  test.each(typed)('$cell', async ({ cell, body, before, shows }) => {
    await using page = await pageWithPayment()
    await before?.(page)
    const words = [...cell.split(' '), ...(body === undefined ? [] : ['--body', JSON.stringify(body)])]
    const { code, stdout, stderr } = await runHere(words, { GATEWAY_BASE_URL: page.url })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    await shows(page, stdout)
  })

  test.each(cells.filter((names) => names.some((name) => name.startsWith('--'))))(
    '%s takes the options that stand beside it',
    async (command, ...names) => {
      const [first = '', second = '', ...others] = command.split(' ')
      const words = [first, second, ...others].filter((word) => word !== '' && !word.startsWith('--'))
      const { stdout } = await runHere([...words, '--help'])
      for (const name of [second, ...others, ...names].filter((word) => word.startsWith('--'))) {
        expect(stdout).toMatch(new RegExp(`^  ${name}[ ,]`, 'm'))
      }
    },
  )
})
