// A shop with an outbox: an order is stored and answered at once, and a loop creates its payin afterwards. Not to be
// copied: it polls.
//
// PORT and SHOP_DATABASE as for the other shops. SHOP_IDS=new makes an id for each try, which pays twice;
// SHOP_CRASHES=1 ends the process while its third order is placed; SHOP_MARKS=early writes down that a payin was created
// before it is; SHOP_WORKERS=2 has a second loop, which sends what the first has been sending for longer than two seconds.
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { GatewayClient, isPaid, money } from 'merchant-gateway'

const { PORT, SHOP_DATABASE = '', SHOP_IDS, SHOP_CRASHES, SHOP_MARKS, SHOP_WORKERS } = process.env
const client = GatewayClient.fromEnv({ retries: 0 })
const orders = existsSync(SHOP_DATABASE) ? JSON.parse(readFileSync(SHOP_DATABASE, 'utf8')) : {}
const store = () => writeFileSync(SHOP_DATABASE, JSON.stringify(orders))

createServer(async (request, response) => {
  request.resume()
  const [, , number = ''] = (request.url ?? '').split('/')
  if (request.method === 'POST') {
    const crashes = SHOP_CRASHES === '1' && orders[number] === undefined && Object.keys(orders).length === 2
    orders[number] ??= { id: randomUUID(), isSent: crashes }
    store()
    if (crashes) process.exit(7)
    response.writeHead(202).end()
    return
  }
  const order = orders[number]
  const payin = order?.isSent ? await client.payins.retrieve(order.id).catch(() => undefined) : undefined
  response.writeHead(200).end(JSON.stringify({ paid: payin !== undefined && isPaid(payin) }))
}).listen(Number(PORT), '127.0.0.1')

const takenAt = new Map()

async function work(isMine) {
  for (;;) {
    for (const order of Object.values(orders).filter((one) => !one.isSent && isMine(one))) {
      takenAt.set(order, Date.now())
      try {
        if (SHOP_MARKS === 'early') {
          order.isSent = true
          store()
        }
        await client.payins.create({
          idPayin: SHOP_IDS === 'new' ? randomUUID() : order.id,
          paymentRequested: { money: money('10.00', 'EUR') },
          paymentMethod: { paymentMethodCode: 'VAPAY' },
        })
        order.isSent = true
        store()
      } catch {
        order.isSent = false
        // The next round sends it again.
      }
    }
    await delay(150)
  }
}

if (SHOP_WORKERS === '2') void work((order) => Date.now() - takenAt.get(order) > 2000)
await work(() => true)
