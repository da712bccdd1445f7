import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { familyOperations } from '../../src/client/auth/scopes.js'
import { clientOptions, variables } from '../../src/client/settings/client-options.js'
import { readOptions } from '../../src/client/settings/read-options.js'
import { relyingOnNothing } from '../docs/strict.js'
import { runNode } from '../examples/support.js'
import { root } from '../support/root.js'
import { blocksOf, tableAfter } from './markdown.js'

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const optionsPage = readFileSync(join(root, 'docs/options.md'), 'utf8')
const packageJson: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const programs = blocksOf(readme).filter(({ language }) => language === 'js')

describe('the programs', () => {
  test.each(programs)(
    'the one in line $line runs, also where the sandbox shows nothing but the specification',
    { timeout: 60_000 },
    async ({ code }) => {
      for (const input of [code, relyingOnNothing(code)]) {
        const finished = await runNode(['--input-type=module', '-'], { input })
        expect(finished).toMatchObject({ code: 0, stderr: '' })
        expect(finished.stdout).toMatch(/^(?:SUCCESS|try again, with the same id\nan earlier try sent it)\n$/)
      }
    },
  )

  test('there are blocks of no language that is not run', () => {
    const languages = new Set(blocksOf(readme).map(({ language }) => language))
    expect([...languages].sort()).toEqual(['js', 'sh'])
    expect(programs).toHaveLength(2)
  })

  test('a payin takes 12 lines', () => {
    expect(programs[0]?.code.split('\n')).toHaveLength(12)
  })
})

test('takes no more than 900 words', () => {
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(900)
})

test('every npm script that is named exists', () => {
  const commands = blocksOf(readme)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('&&').map((command) => command.trim()))
    .filter((command) => command.startsWith('npm '))
  const named = commands
    .map((command) => /^npm (?:run )?(\S+)/.exec(command)?.[1] ?? command)
    .filter((name) => name !== 'ci' && name !== 'install')
  expect(named).toEqual(['demo', 'test'])
  expect(packageJson).toMatchObject({ scripts: { demo: expect.any(String), test: expect.any(String) } })
})

describe('the table of docs/options.md', () => {
  const rows = tableAfter(optionsPage, '| option |')
  const given = {
    baseUrl: 'https://gateway.example',
    merchantCode: 'M',
    signer: { sign: async () => new Uint8Array() },
  }
  const settings: Record<string, unknown> = { ...readOptions(given) }

  test('names the options that the client takes, and no others', () => {
    expect(rows.map(([name]) => unquoted(name))).toEqual(Object.keys(clientOptions))
  })

  test('and each variable of the environment, which bears the name of its option', () => {
    const cells = tableAfter(optionsPage, '| variable |').map(([cell]) => cell)
    const shown = cells.join().match(/GATEWAY_\w+/g)
    const named = Object.entries(clientOptions).flatMap(([option, schema]) => {
      const variable = variables.get(schema)
      if (variable === undefined) return []
      expect(variable).toBe(`GATEWAY_${option.replace(/[A-Z]/g, '_$&').toUpperCase()}`)
      return variable
    })
    expect(shown?.toSorted()).toEqual([...named, 'GATEWAY_PRIVATE_KEY_FILE'].toSorted())
  })

  test.each(rows)('says the default of %s', (quotedName, shown) => {
    const name = unquoted(quotedName)
    if (name === 'allowInsecureHttp') {
      expect(shown).toBe('`false`')
      expect(() => readOptions({ ...given, baseUrl: 'http://gateway.example' })).toThrow(/plain http/)
    } else if (shown === 'required') {
      expect(() => readOptions({ ...given, [name]: undefined })).toThrow(`${name} is missing`)
    } else if (shown === 'none') {
      expect(settings[name]).toBeUndefined()
    } else if (name === 'operations') {
      expect(shown).toBe('the endpoints of each family')
      expect(settings[name]).toEqual(familyOperations)
    } else {
      const functions: Record<string, unknown> = { 'Date.now': Date.now }
      const text = unquoted(shown)
      expect(settings[name]).toBe(Object.hasOwn(functions, text) ? functions[text] : literal(text))
    }
  })
})

test('of the three options that authenticate, one is needed and none is made up', () => {
  const options = { baseUrl: 'https://gateway.example', merchantCode: 'M' }
  // @ts-expect-error none is given
  expect(() => readOptions(options)).toThrow('give privateKey or signer')
})

test('the sentence that saves money stands in it', () => {
  expect(readme).toContain('use the same id when you try again')
})

function unquoted(cell = ''): string {
  return cell.replace(/^`(.*)`$/, '$1')
}

/** A number with underscores, a text in single quotes, true or false. */
function literal(text: string): unknown {
  const json = /^[\d_]+$/.test(text) ? text.replaceAll('_', '') : text.replace(/^'(.*)'$/, '"$1"')
  const value: unknown = JSON.parse(json)
  return value
}
