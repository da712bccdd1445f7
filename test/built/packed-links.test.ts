import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { linksIn } from '../package/setup/links.js'
import { run } from '../package/setup/run.js'
import { root } from '../support/root.js'

const work = mkdtempSync(join(tmpdir(), 'merchant-gateway-packed-'))
afterAll(() => rmSync(work, { recursive: true }))

/** Packs what is built into a folder of its own. */
async function pack(folder: string, place: string): Promise<string> {
  const command = ['npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', place]
  const { code, stdout, stderr } = await run(command, { cwd: join(root, folder) })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return join(place, stdout.trim())
}

describe.each([
  ['merchant-gateway', '.'],
  ['merchant-gateway-sandbox', 'sandbox'],
])('the tarball of %s', (name, folder) => {
  test('is the same bytes twice, and no link of its pages is dead', { timeout: 60_000 }, async () => {
    const places = ['first', 'second'].map((when) => mkdtempSync(join(work, `${name}-${when}-`)))
    const [first = '', second = ''] = await Promise.all(places.map((place) => pack(folder, place)))
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true)
    const [place = ''] = places
    execFileSync('tar', ['-xzf', first, '-C', place])
    expect((await linksIn(join(place, 'package'))).dead).toEqual([])
  })
})
