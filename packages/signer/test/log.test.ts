import fs, {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyLog } from 'merchant-gateway-signer'
import { describe, expect, test, vi } from 'vitest'
import { heist, stealAll } from './thief.js'

/** What the policy allows in a day, in EUR. */
const cap = 1000

describe('a log', () => {
  test('that a failing disk may not have lets no signature out, and counts what it may have', async () => {
    await using scene = await heist()
    const failing = vi.spyOn(fs, 'fdatasyncSync').mockImplementationOnce(() => {
      throw new Error('EIO: i/o error')
    })
    syncBuiltinESMExports()
    try {
      expect(await scene.thief.steal({ id: 'lost', amount: 1 })).toBe('log')
      expect(await scene.thief.steal({ id: 'next', amount: 1 })).toBe('log')
      expect(failing).toHaveBeenCalledOnce()
    } finally {
      failing.mockRestore()
      syncBuiltinESMExports()
    }
    await scene.restart()
    await stealAll(scene, 5)
    expect(scene.thief.loot()).toBe(500)
  })

  test.each<readonly [string, (log: string, text: string) => void]>([
    ['cut short', (log, text) => truncateSync(log, text.length - 40)],
    ['emptied', (log) => truncateSync(log, 0)],
    ['longer', (log) => appendFileSync(log, '{}\n')],
    ['moved away, as programs that rotate logs do,', (log) => renameSync(log, `${log}.1`)],
  ])('that was %s under a signer is not believed', async (_, change) => {
    await using scene = await heist()
    await stealAll(scene, 2)
    change(scene.log, readFileSync(scene.log, 'utf8'))
    expect(await scene.thief.sign('{}')).toBe('log')
    expect(scene.thief.loot()).toBe(cap)
  })

  test.each<readonly [string, (lines: readonly string[]) => readonly string[]]>([
    ['an amount changed', (lines) => lines.map((line) => line.replace('"amount":"500"', '"amount":"5"'))],
    ['a line taken away', ([first = '', , ...rest]) => [first, ...rest]],
    ['two lines exchanged', ([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest]],
    ['its first line taken away', (lines) => lines.slice(1)],
    ['a refusal made an approval', (lines) => lines.map((line) => line.replace('"refused"', '"allowed"'))],
  ])('with %s shows it, and no signer starts over it', async (_, change) => {
    await using scene = await heist()
    await stealAll(scene, 4)
    await scene.stop()
    const lines = readFileSync(scene.log, 'utf8').trimEnd().split('\n')
    expect(verifyLog(scene.log)).toMatchObject({ ok: true, lines: 5 })
    writeFileSync(scene.log, `${change(lines).join('\n')}\n`)
    const found = verifyLog(scene.log)
    expect(found).toMatchObject({ ok: false, why: expect.stringMatching(/changed or taken away/) })
    await expect(scene.startSigner()).rejects.toThrow(/changed or taken away/)
  })

  test('with its end taken away shows it beside a hash that was kept elsewhere', async () => {
    await using scene = await heist()
    await stealAll(scene, 2)
    const { hash } = scene.signer.head
    await scene.stop()
    expect(verifyLog(scene.log, hash)).toMatchObject({ ok: true, hash })
    const lines = readFileSync(scene.log, 'utf8').trimEnd().split('\n')
    writeFileSync(scene.log, `${lines.slice(0, -1).join('\n')}\n`)
    expect(verifyLog(scene.log)).toMatchObject({ ok: true })
    expect(verifyLog(scene.log, hash)).toMatchObject({ ok: false })
    writeFileSync(scene.log, '')
    expect(verifyLog(scene.log)).toMatchObject({ ok: false, line: 1 })
  })

  test('of which a crash left half a line goes on behind the last whole one', async () => {
    await using scene = await heist()
    await stealAll(scene, 1)
    await scene.stop()
    appendFileSync(scene.log, '{"n":3,"at":17')
    expect(verifyLog(scene.log)).toMatchObject({ ok: true, lines: 2, unfinished: true })
    await scene.restart()
    await stealAll(scene, 5, 'after')
    expect(scene.thief.loot()).toBe(cap)
    expect(verifyLog(scene.log)).toMatchObject({ ok: true, unfinished: false })
  })

  test('that is a file of something else is left as it is, and one that a crash left at its first line begins anew', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signer-'))
    const log = join(folder, 'policy.json')
    writeFileSync(log, '{"policyVersion":1}')
    await expect(heist({ log })).rejects.toThrow(/a file of something else/)
    expect(readFileSync(log, 'utf8')).toBe('{"policyVersion":1}')
    for (const piece of ['', '{"n":1,"at":17']) {
      writeFileSync(log, piece)
      await using scene = await heist({ log })
      expect(scene.signer.head.lines).toBe(1)
    }
    rmSync(folder, { recursive: true })
  })

  test('is written by one signer: a second one over it does not start', async () => {
    await using scene = await heist()
    await expect(scene.startSigner()).rejects.toThrow(/another signer writes to/)
    symlinkSync(scene.log, join(scene.folder, 'other.log'))
    await expect(heist({ log: join(scene.folder, 'other.log') })).rejects.toThrow(/can't be used/)
  })
})
