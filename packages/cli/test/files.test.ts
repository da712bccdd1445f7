import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openToWrite } from '../../sandbox/src/cli/rehearse/open-to-write.js'
import { readText, writeAll } from '../src/files.js'
import { hideArguments } from '../src/hide-arguments.js'
import { writeReports } from '../src/payouts/report-files.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-files-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const files = () => [
  { file: join(folder, 'private.pem'), text: 'the private key', mode: 0o600 },
  { file: join(folder, 'public.pem'), text: 'the public key', mode: 0o644 },
]
const plainly = (_file: string, act: () => void) => act()
const never = () => () => undefined

test('a pipe or a device that may never end is refused at once, and by name', () => {
  const pipe = join(folder, 'pipe.json')
  execFileSync('mkfifo', [pipe])
  expect(() => readText('/dev/zero')).toThrow(
    'a file that is named there is a pipe or a device and not a file.',
  )
  expect(() => readText(pipe)).toThrow(`${pipe} is a pipe or a device and not a file.`)
  expect(() => openToWrite(pipe)).toThrow(expect.objectContaining({ code: 'NOT_A_FILE' }))
  const file = join(folder, 'key.pem')
  writeFileSync(file, 'x'.repeat(4 * 1024 * 1024 + 1))
  expect(() => readText(file)).toThrow(/is longer than 4 MiB/)
  writeFileSync(file, 'the key')
  expect(readText(file)).toBe('the key')
})

describe('a link that somebody has put where a file goes leads to nothing that is written', () => {
  const style = { delimiter: ',', decimalComma: false }
  const replaced: [what: string, name: string, write: (path: string) => unknown][] = [
    ['the report of payouts as CSV', 'x.csv', () => writeReports(join(folder, 'x'), style, () => [])],
    ['the report of payouts as JSON', 'x.json', () => writeReports(join(folder, 'x'), style, () => [])],
  ]

  test.each(replaced)('%s', async (_what, name, write) => {
    const victim = join(folder, 'victim')
    writeFileSync(victim, 'mine')
    const link = join(folder, name)
    symlinkSync(victim, link)
    await write(join(folder, 'profile.json'))
    expect(readFileSync(victim, 'utf8')).toBe('mine')
    if (!name.endsWith('.tmp')) expect(lstatSync(link).isFile()).toBe(true)
    if (name.startsWith('x.')) expect(lstatSync(link).mode & 0o777).toBe(0o600)
  })

  test.each([true, false])('a key, whether it leads to a file (%s) or to none', (isThere) => {
    const victim = join(folder, 'victim')
    if (isThere) writeFileSync(victim, 'mine')
    symlinkSync(victim, join(folder, 'public.pem'))
    expect(() => writeAll(files(), plainly, never)).toThrow(/EEXIST/)
    expect(existsSync(victim) && readFileSync(victim, 'utf8')).toBe(isThere && 'mine')
    expect(readdirSync(folder)).not.toContain('private.pem')
  })

  test('a report of rehearse, JUnit and the log', () => {
    const victim = join(folder, 'victim')
    writeFileSync(victim, 'mine')
    symlinkSync(victim, join(folder, 'junit.xml'))
    expect(() => openToWrite(join(folder, 'junit.xml'))).toThrow(expect.objectContaining({ code: 'ELOOP' }))
    expect(readFileSync(victim, 'utf8')).toBe('mine')
  })
})

describe('writing all files or none', () => {
  test.each([0, 1])('a disk that is full at file %i leaves none of them', (full) => {
    let written = 0
    const write: typeof writeFileSync = (file, data, options) => {
      if (written++ < full) return writeFileSync(file, data, options)
      // Half of it, as a full disk takes it.
      writeFileSync(file, String(data).slice(0, 5))
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    }
    expect(() => writeAll(files(), plainly, never, write)).toThrow('no space')
    for (const { file } of files()) expect(existsSync(file)).toBe(false)
  })

  test('a file that is there stays as it is, and the other one is not made', () => {
    const [first, second] = files()
    writeFileSync(second?.file ?? '', 'mine')
    expect(() => writeAll(files(), plainly, never)).toThrow(/EEXIST/)
    expect(existsSync(first?.file ?? '')).toBe(false)
    expect(readFileSync(second?.file ?? '', 'utf8')).toBe('mine')
  })

  test('when the process is ended meanwhile, what was made goes; afterwards it stays', () => {
    const exit: (() => void)[] = []
    const onExit = (undo: () => void) => {
      exit.push(undo)
      return () => void exit.pop()
    }
    writeAll(files(), plainly, onExit)
    expect(exit).toEqual([])
    for (const { file, text } of files()) expect(readFileSync(file, 'utf8')).toBe(text)
  })
})

describe('what was typed and may be a secret or an account is not repeated', () => {
  test.each([
    [
      "error: unknown command 's3cret-of-a-merchant-1'",
      ['s3cret-of-a-merchant-1'],
      "error: unknown command '[redacted]'",
    ],
    [
      "error: unknown option '--key=s3cret-of-a-merchant-1'",
      ['--key=s3cret-of-a-merchant-1'],
      "error: unknown option '[redacted]'",
    ],
    [
      "option '--port <PORT>' argument 's3cret-of-a-merchant-1' is invalid.",
      ['--port=s3cret-of-a-merchant-1'],
      "option '--port <PORT>' argument '[redacted]' is invalid.",
    ],
    ["unknown command 'a'b'", ["a'b"], "unknown command '[redacted]'"],
    ["unknown command '9900112233'", ['9900112233'], "unknown command '[redacted]'"],
    ["unknown command 'jana@shop.example'", ['jana@shop.example'], "unknown command '[redacted]'"],
    ["unknown command 'aB3dE5fG7hI9'", ['aB3dE5fG7hI9'], "unknown command '[redacted]'"],
  ])('%s', (said, args, shown) => {
    expect(hideArguments(said, args)).toBe(shown)
  })

  test.each([
    ["option '--port <PORT>' argument '70000' is invalid.", ['--port', '70000']],
    ["option '--settle-after <MS>' argument '5s' is invalid.", ['--settle-after=5s']],
    ["error: unknown command 'versions'", ['versions']],
  ])('but for a word or a number that was mistyped: %s', (said, args) => {
    expect(hideArguments(said, args)).toBe(said)
  })

  test('but for what is near to a name of ours', () => {
    const said = "error: unknown command 'sandbx'\n(Did you mean sandbox?)"
    expect(hideArguments(said, ['sandbx'])).toBe(said)
    expect(hideArguments("error: unknown option '--jsn'", ['--jsn'])).toBe("error: unknown option '--jsn'")
  })
})
