import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openRegularFile, readRegularFile } from '../../../src/client/input/regular-file.js'

const folder = mkdtempSync(join(tmpdir(), 'merchant-gateway-regular-'))
const pipe = join(folder, 'pipe')
execFileSync('mkfifo', [pipe])
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['a pipe that nobody writes to', pipe, 'NOT_A_FILE'],
  ['a device that gives bytes for ever', '/dev/zero', 'NOT_A_FILE'],
  ['a folder', folder, 'EISDIR'],
  ['nothing', join(folder, 'nothing'), 'ENOENT'],
])('%s is refused at once, with a code', async (_, path, code) => {
  await expect(openRegularFile(path)).rejects.toMatchObject({ code })
  expect(() => readRegularFile(path)).toThrow(expect.objectContaining({ code }))
})

test('a file is read', async () => {
  const path = join(folder, 'file')
  writeFileSync(path, 'text')
  expect(readRegularFile(path)).toBe('text')
  const file = await openRegularFile(path)
  expect(await file.readFile('utf8')).toBe('text')
  await file.close()
})
