import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'

/** In a process of its own: whom it trusts is read when it starts. */
async function campaign(...options: readonly string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.mjs'), ...options])
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const [status, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { status, stdout, stderr }
}

describe.concurrent('over real sockets, a create is made once and told truly', () => {
  const ways = ['undici, plain', 'undici, TLS', 'fetch, plain', 'fetch, TLS']
  const parts = [
    ['wherever its request, its response or its connection breaks', ['--only', 'bytes', '--step', '31']],
    ['however often its caller asks again or gives up', ['--only', 'random', '--creates', '1600']],
  ] as const
  test.each(parts.flatMap(([what, options]) => ways.map((way) => [way, what, options] as const)))(
    'over %s, %s',
    async (way, _what, options) => {
      const { status, stdout, stderr } = await campaign(...options, '--over', way)
      expect(stderr).toBe('')
      expect(stdout).toContain('0 violation(s)')
      expect(status).toBe(0)
    },
    600_000,
  )
})
