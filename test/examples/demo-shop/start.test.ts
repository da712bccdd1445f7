import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from '../../support/listening.js'
import { runNode } from '../support.js'

test('a SHOP_PORT that is taken ends the demo with a sentence', async () => {
  const other = createServer()
  const port = String(await listen(other))
  const ended = await runNode(['examples/demo-shop/start.mjs'], { env: { SHOP_PORT: port } })
  other.close()
  const sentence = `^Port ${port} is taken, so the demo has ended: .* SHOP_PORT=0 for a free one\\.$`
  expect(ended).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(new RegExp(sentence, 'm')) })
})
