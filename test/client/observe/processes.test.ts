import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { accept, handMadeGateway } from '../../faults/servers.js'

/** Runs a program of `child` against a gateway that accepts; the package is what `npm run build` has built. */
async function child(name: string, ...args: string[]) {
  await using gateway = await handMadeGateway({ create: [accept] })
  const file = fileURLToPath(new URL(`child/${name}.mjs`, import.meta.url))
  const running = spawn(process.execPath, [file, gateway.url, ...args], {
    timeout: 8000,
    killSignal: 'SIGKILL',
  })
  let said = ''
  let complained = ''
  running.stdout.on('data', (chunk) => {
    said += String(chunk)
  })
  running.stderr.on('data', (chunk) => {
    complained += String(chunk)
  })
  const code = await new Promise((resolve, reject) => {
    running.on('error', reject)
    running.on('close', resolve)
  })
  return {
    code,
    said: said.trim(),
    complained,
    payouts: gateway.requests.filter(({ path }) => path.startsWith('/payouts')),
  }
}

describe('a process with plain listeners that throw', { timeout: 20_000 }, () => {
  it('makes the payout once when it survives them', async () => {
    const { code, said, payouts } = await child('throwing-listeners', 'survive')
    // Two calls and two requests have a beginning and an end each, and there is one token.
    expect({ code, said }).toEqual({ code: 0, said: '{"replayed":false,"uncaught":9}' })
    expect(payouts).toHaveLength(1)
  })

  it('is ended by Node before anything is sent when it does not', async () => {
    const { code, complained, payouts } = await child('throwing-listeners')
    expect(code).toBe(1)
    expect(complained).toContain('listener of call:start')
    expect(payouts).toHaveLength(0)
  })
})

describe('what only listeners need', { timeout: 20_000 }, () => {
  it('is not loaded when nobody listens', async () => {
    const { said } = await child('loaded-files')
    expect(JSON.parse(said)).toEqual(['index.cjs', 'undici-transport.cjs'])
  })

  it.each(['listen', 'log'])('is loaded when somebody does (%s)', async (watcher) => {
    const { said } = await child('loaded-files', watcher)
    expect(JSON.parse(said)).toEqual(['index.cjs', 'undici-transport.cjs', 'watching.cjs'])
  })
})
