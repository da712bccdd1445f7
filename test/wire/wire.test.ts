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
  test.each(ways)(
    'over %s, wherever its request, its response or its connection breaks',
    async (way) => {
      const { status, stdout, stderr } = await campaign('--only', 'bytes', '--step', '31', '--over', way)
      expect(stderr).toBe('')
      expect(stdout).toContain('0 violation(s)')
      expect(status).toBe(0)
    },
    600_000,
  )
})
