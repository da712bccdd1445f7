import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { accept, handMadeGateway } from '../../faults/servers.js'

const program = fileURLToPath(new URL('child/loaded-files.mjs', import.meta.url))

/** What the built package loads of itself for a payout. */
async function loaded(...watcher: string[]): Promise<unknown> {
  await using gateway = await handMadeGateway({ create: [accept] })
  const args = [program, gateway.url, ...watcher]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 8000 })
  return JSON.parse(stdout)
}

describe('what only listeners need', { timeout: 20_000 }, () => {
  it('is not loaded when nobody listens', async () => {
    expect(await loaded()).toEqual(['index.cjs', 'undici-transport.cjs'])
  })

  it.each(['listen', 'log'])('is loaded when somebody does (%s)', async (watcher) => {
    expect(await loaded(watcher)).toEqual(['index.cjs', 'undici-transport.cjs', 'watching.cjs'])
  })
})
