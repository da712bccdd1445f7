import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** In a process of its own: it has another time than this one. */
function simulate(...options: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'run.mjs'), ...options],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

const folder = join(import.meta.dirname, 'stories')
const stories = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => join(folder, name))

describe('a simulated merchant', () => {
  test('the same seed gives the same trace, to the byte, alone and among others', () => {
    const digestOf = ({ stdout }: { stdout: string }) =>
      /"seed":12,.*"digest":"([0-9a-f]{64})"/.exec(stdout)?.[1]
    const alone = digestOf(simulate('--seed', '12', '--json'))
    expect(alone).toBeDefined()
    expect(digestOf(simulate('--seed', '11', '--seeds', '2', '--json'))).toBe(alone)
  }, 300_000)

  test('pays nobody twice, tells no lie and forgets nothing in two months of bad luck', () => {
    const { status, stdout, stderr } = simulate('--seeds', '20', '--days', '3', '--per-day', '20')
    expect(stderr).toBe('')
    expect(stdout).toContain('20 seed(s), 0 failed')
    expect(status).toBe(0)
  }, 600_000)

  test('no story that was kept happens again', () => {
    const { status, stdout, stderr } = simulate(...stories.flatMap((story) => ['--story', story]))
    expect(stderr).toBe('')
    expect(stdout).toContain(`${stories.length} seed(s), 0 failed`)
    expect(status).toBe(0)
  }, 300_000)
})
