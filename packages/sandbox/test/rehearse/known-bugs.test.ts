import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../../../test/support/root.js'
// @ts-expect-error a list without types
import { shops } from '../../known-bugs/shops.mjs'
import { caseNamed } from '../../src/rehearse/cases.js'

interface Shop {
  readonly file: string
  readonly isWrong: boolean
  readonly name?: string
}

const folder = join(root, 'packages/sandbox/known-bugs')
const all: readonly Shop[] = shops
const wrong = all.filter(({ isWrong }) => isWrong)
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

describe('the known bugs', () => {
  test('has thirty wrong shops and twelve right ones, in three languages', () => {
    expect([wrong.length, all.length - wrong.length]).toEqual([30, 12])
    for (const shop of [wrong, all.filter(({ isWrong }) => !isWrong)]) {
      expect(new Set(shop.map(({ file }) => extname(file)))).toEqual(new Set(['.mjs', '.py', '.php']))
    }
  })

  test('lists every shop that there is', () => {
    const files = ['wrong', 'right'].flatMap((group) => {
      return readdirSync(join(folder, group)).map((name) => `${group}/${name}`)
    })
    expect(all.map(({ file }) => file).toSorted()).toEqual(files.toSorted())
    for (const { file } of all) expect(existsSync(join(folder, file))).toBe(true)
  })

  test.each(wrong)('$file names the thread that it stands for, and is short', ({ file }) => {
    expect(read(file)).toMatch(
      /^(?:<\?php\n)?(?:\/\/ |""")https:\/\/github\.com\/[\w-]+\/[\w-]+\/(?:issues|pull)\/\d+: /,
    )
    expect(read(file).split('\n').length).toBeLessThan(45)
  })

  test.each(wrong)('$file is played with a case that there is', ({ name = 'slow' }) => {
    expect(caseNamed(name)).toBeDefined()
  })
})
