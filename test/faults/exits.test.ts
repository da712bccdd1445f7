import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accept, handMadeGateway, json } from './servers.js'
import { deafServer, stages } from './stages.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merchant-gateway-exits-'))
  await build({
    entry: [fileURLToPath(new URL('child/payout.ts', import.meta.url))],
    outDir: folder,
    outExtension: () => ({ js: '.cjs' }),
    config: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    noExternal: [/./],
    shims: true,
    silent: true,
  })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** From its last word on. Below the 10 s and the 30 s that anything forgotten would last. */
const patienceMs = 8000

interface Ended {
  readonly code: number | null
  readonly said: string
}

function child(url: string, stage: string, end: string): Promise<Ended> {
  const running = spawn(process.execPath, [join(folder, 'payout.cjs'), url, stage, end])
  const chunks: Buffer[] = []
  let tooLong: NodeJS.Timeout | undefined
  running.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    tooLong ??= setTimeout(() => running.kill('SIGKILL'), patienceMs)
  })
  running.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    running.on('error', reject)
    running.on('close', (code) => {
      clearTimeout(tooLong)
      resolve({ code, said: Buffer.concat(chunks).toString('utf8').trim() })
    })
  })
}

describe('a process that closes nothing exits by itself', () => {
  const ends = stages.flatMap((stage) => [
    { stage, end: 'limit', said: stage.limited ?? 'TimeoutError' },
    { stage, end: 'signal', said: 'AbortedError' },
  ])
  test.concurrent.each(ends)(
    'after a $end has ended its wait for $stage.name',
    async ({ stage, end, said }) => {
      await using gateway =
        stage.deaf === true ? await deafServer() : await handMadeGateway(stage.script ?? {})
      expect(await child(gateway.url, stage.name, end)).toEqual({ code: 0, said })
    },
  )

  test.concurrent('after a payout that was accepted', async () => {
    await using gateway = await handMadeGateway({ create: [accept] })
    expect(await child(gateway.url, 'none', 'none')).toEqual({ code: 0, said: 'resolved' })
  })

  test.concurrent('after a payout that was refused', async () => {
    await using gateway = await handMadeGateway({ create: [json(400, {})] })
    expect(await child(gateway.url, 'none', 'none')).toEqual({ code: 0, said: 'InvalidRequestError' })
  })

  test.concurrent('after a payout that met a 409', async () => {
    await using gateway = await handMadeGateway({
      create: [json(409, {})],
      lookUp: [json(500, {}), json(403, {})],
    })
    expect(await child(gateway.url, 'none', 'none')).toEqual({ code: 0, said: 'PermissionError' })
  })
})
