import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { faultForms } from '../../sandbox/src/desk/control/controls/page-faults.js'
import { runHere } from '../cli/here.js'
import { tableAfter } from '../readme/markdown.js'
import { pageWithPayment, typed } from './typed.js'

const root = new URL('../../', import.meta.url)
const guide = readFileSync(new URL('docs/sandbox.md', root), 'utf8')
const rows = tableAfter(guide, '| what | by code |')
const inTicks = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, inside = '']) => inside)

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

describe('the command line', () => {
  const cells = rows.map(([, , typedCell = '']) => inTicks(typedCell))

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
