import { expect, test } from 'vitest'
import { create, masterToken, ORIGIN, paymentBody, stillSandbox } from '../support.js'

const MEGABYTE = 1_000_000
const long = (letter: string) => `https://shop.example/${letter.repeat(MEGABYTE)}`

test('payments are kept in a bounded number of bytes, and their ids stay taken', async () => {
  const sandbox = stillSandbox({ payAfterMs: false })
  const token = await masterToken(sandbox)
  const body = paymentBody({ callbackUrl: long('a') })
  const send = (id: number) => sandbox.fetch(`${ORIGIN}/payins/${id}`, create(token, body))
  for (let id = 0; id < 80; id += 1) expect((await send(id)).status).toBe(200)
  expect(sandbox.payins.size).toBeGreaterThan(10)
  expect(sandbox.payins.size).toBeLessThan(40)
  expect(sandbox.payins.find('0')).toBeUndefined()
  for (const id of [0, 40, 79]) expect((await send(id)).status).toBe(409)
})

test('callbacks that nobody answers are kept in a bounded number of bytes', async () => {
  const answers: (() => void)[] = []
  const sandbox = stillSandbox({
    payAfterMs: false,
    callbackTries: 1,
    deliver: () => new Promise((resolve) => answers.push(() => resolve({ status: 204 }))),
  })
  const token = await masterToken(sandbox)
  const settle = async (id: number) => {
    await sandbox.fetch(`${ORIGIN}/payins/${id}`, create(token, paymentBody({ callbackUrl: long('b') })))
    sandbox.payins.get(String(id)).setStatus('UNDER_REVIEW')
  }
  for (let id = 0; id < 60; id += 1) await settle(id)
  expect(answers.length).toBeGreaterThan(10)
  expect(answers.length).toBeLessThan(40)
  for (const answer of answers.splice(0)) answer()
  await sandbox.idle()
  expect(answers).toEqual([])
  await settle(60)
  expect(answers).toHaveLength(1)
  await sandbox.close()
})
