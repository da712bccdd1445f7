import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Signer } from '../../../src/index.js'
import { createSigner } from '../src/index.js'
import { basePolicy } from './thief.js'

const nowMs = Date.UTC(2026, 10, 25)

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slow-key-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const requestOf = (idPayment: string) =>
  Buffer.from(
    JSON.stringify({
      merchantCode: basePolicy.merchantCode,
      validitySecs: 300,
      action: 'PAYIN_CREATE',
      idPayment,
      timestamp: nowMs / 1000,
    }),
  )

const signerWith = (sign: Signer['sign']) =>
  createSigner(basePolicy, { key: { sign }, log: join(folder, 'signer.log'), now: () => nowMs })

test('what a KMS says at once is its own error, and no refusal that is shown to whoever asks', async () => {
  const signer = await signerWith(() => {
    throw new Error('a secret of the vault')
  })
  await expect(signer.sign(requestOf('order-1'))).rejects.toMatchObject({
    name: 'Error',
    message: 'a secret of the vault',
  })
  await signer.close()
})

test('signatures that never come keep nobody from a decision', async () => {
  let hangs = true
  const signer = await signerWith(() =>
    hangs ? new Promise(() => {}) : Promise.resolve(Buffer.from('signed')),
  )
  for (let one = 0; one < 1100; one++) {
    void signer.sign(requestOf(`order-${one}`)).catch(() => {})
    // Decided on after those before it, whose signatures do not come.
    if (one % 500 === 0) await signer.sign(Buffer.from('nonsense')).catch(() => {})
  }
  await signer.sign(Buffer.from('nonsense')).catch(() => {})
  hangs = false
  expect(Buffer.from(await signer.sign(requestOf('order-next'))).toString()).toBe('signed')
  await signer.close()
})

test.each(['.*', 'a|POST /payouts/.*', 'a+', 'x/../../payouts/y', '!x', '..', '', '[a-z]'])(
  'the id %j of a token for one payment is signed by none, since a gateway may read it as a pattern',
  async (id) => {
    const signer = await signerWith(async () => Buffer.from('signed'))
    await expect(signer.sign(requestOf(id))).rejects.toMatchObject({ rule: 'unreadable' })
    await signer.close()
  },
)

test('a signer that was closed signs nothing more', async () => {
  const signer = await signerWith(async () => Buffer.from('signed'))
  await signer.close()
  await expect(signer.sign(requestOf('order-1'))).rejects.toMatchObject({ rule: 'busy' })
})
