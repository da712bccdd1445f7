import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { keepingLogger } from '../client/observe/support.js'
import { found, handMadeGateway, json, text } from '../faults/servers.js'
import { clientOf, create, failure } from '../faults/support.js'

/** Moves the cursor, turns the direction of a text, ends a line, and has no width. */
const unseen = 'a\u202eb\u001b[2Jc\u200bd\u2028e\u0007f\u009bg'
const characters = /\p{Cf}|\p{Zl}|(?!\n)\p{Cc}/u

const otherPayout = {
  ...found('payout'),
  paymentRequested: { money: { amount: 5, currencyCode: unseen } },
  process: { status: unseen, createdAt: unseen },
  [unseen]: unseen,
}

test.each([
  ['the message of a refusal', json(422, { message: unseen })],
  ['a list of messages', json(422, { errors: [{ code: unseen, detail: unseen }] })],
  ['the names of fields', json(422, { [unseen]: unseen })],
  ['a text', text(500, unseen)],
  ['a page', text(502, `<html>${unseen}</html>`)],
  ['a response that can’t be used', json(200, { paymentRequested: unseen, [unseen]: 5 })],
  ['the payment that has the id', json(409, { message: unseen })],
])('no error and no line of the log holds a character of %s that nobody sees', async (_what, answer) => {
  await using gateway = await handMadeGateway({ create: [answer], lookUp: [json(200, otherPayout)] })
  const { logger, lines } = keepingLogger()
  await using client = clientOf(gateway.url, 'undici', { logger, retries: 0 })
  const error = await failure(create(client, 'payout'))
  const late = await failure(client.payouts.waitFor('order-1', { maxWaitMs: 100 }))
  for (const one of [error, late]) {
    for (const said of [one.message, JSON.stringify(one), inspect(one, { depth: 9 }), String(one.cause)]) {
      expect(said).not.toMatch(characters)
    }
  }
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).not.toMatch(characters)
})
