import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runScript } from './support.js'

describe('the size check', { timeout: 60_000 }, () => {
  let folder: string
  const file = (name: string) => join(folder, name)
  const limits = () => file('limits.json')
  const record = (bytes: number) => writeFileSync(limits(), JSON.stringify({ mainEntryMinGzBytes: bytes }))
  const weigh = (entry: string, ...more: readonly string[]) =>
    runScript('size.mjs', '--entry', entry, '--limits', limits(), ...more)
  /** What no compression makes smaller than so many bytes. */
  const noise = (bytes: number) => `console.log('${randomBytes(bytes).toString('base64')}')`

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'size-'))
    writeFileSync(file('small.js'), noise(2000))
    writeFileSync(file('big.js'), noise(52_000))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function sizeOf(entry: string): number {
    record(1_000_000)
    const [, size = ''] = /gzipped: ([\d,]+) B/.exec(weigh(entry).stdout) ?? []
    return Number(size.replaceAll(',', ''))
  }

  test('lets the entry grow by 5 % and no more, says by how much it has grown, and how to accept it', () => {
    const size = sizeOf(file('small.js'))
    record(Math.ceil(size / 1.05))
    expect(weigh(file('small.js'))).toMatchObject({ status: 0, stderr: '' })
    record(size - 500)
    const { status, stderr } = weigh(file('small.js'))
    expect(status).toBe(1)
    expect(stderr).toContain('grown by 500 B')
    expect(stderr).toContain('npm run size -- --update')
    expect(weigh(file('small.js'), '--update').status).toBe(0)
    expect(JSON.parse(readFileSync(limits(), 'utf8'))).toEqual({ mainEntryMinGzBytes: size })
  })

  test('accepts nothing that is over 48 KB', () => {
    record(1)
    const { status, stderr } = weigh(file('big.js'), '--update')
    expect(status).toBe(1)
    expect(stderr).toContain('over the limit of 49,152 B')
    expect(JSON.parse(readFileSync(limits(), 'utf8'))).toEqual({ mainEntryMinGzBytes: 1 })
  })

  test('says what to do when nothing is built', () => {
    record(1)
    expect(weigh(file('absent.js'))).toMatchObject({
      status: 1,
      stderr: 'There is nothing to weigh: run "npm run build" first.\n',
    })
  })
})
