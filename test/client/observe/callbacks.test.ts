import { expect, it } from 'vitest'
import { CallbackReceiver } from '../../../src/callbacks/index.js'
import { fetchGateway } from '../../faults/fetch-gateway.js'
import { found } from '../../faults/servers.js'
import { clientOf } from '../../faults/support.js'
import { Listening, ms } from './support.js'

const options = {
  publicUrl: 'https://shop.example/callbacks',
  secrets: ['a-secret-of-32-bytes-or-even-more'],
}

it('a callback is told of with its result, and with an id where its signature was right', async () => {
  let status = 200
  let fails = false
  const payment = { ...found('payin'), process: { status: 'SUCCESS' } }
  const { fetch } = fetchGateway(() => Response.json(payment, { status }))
  await using client = clientOf('https://gateway.example', 'undici', { fetch, retries: 0 })
  const receiver = new CallbackReceiver({
    ...options,
    client,
    onPayin: () => {
      if (fails) throw new Error('down')
    },
    onPayout: () => {},
    onError: () => {},
  })
  using heard = new Listening()
  await receiver.receive(receiver.urlFor({ idPayin: 'order-1' }))
  await receiver.receive('/callbacks/forged')
  fails = true
  const other = { ...payment, paymentMethodResponse: { idPayin: 'order-2' } }
  Object.assign(payment, other)
  await receiver.receive(receiver.urlFor({ idPayin: 'order-2' }))
  status = 503
  await receiver.receive(receiver.urlFor({ idPayout: 'order-3' }))
  expect(heard.callbacks).toStrictEqual([
    { kind: 'payin', idPayin: 'order-1', result: 'succeeded', status: 204, durationMs: ms },
    { result: 'refused', status: 404, durationMs: ms },
    { kind: 'payin', idPayin: 'order-2', result: 'failed', status: 500, durationMs: ms },
    { kind: 'payout', idPayout: 'order-3', result: 'unavailable', status: 503, durationMs: ms },
  ])
  expect(heard.callsStarted.map(({ call }) => `${call.name} ${call.priority}`)).toEqual([
    'payins.retrieve background',
    'tokens.mint token',
    'payins.retrieve background',
    'payouts.retrieve background',
    'tokens.mint token',
  ])
})
