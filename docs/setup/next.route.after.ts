const { client, callbacks } = gateway()
const [first, again] = [await pay('order-5'), await pay('order-5')]
if (first.replayed || !again.replayed) throw new Error('two payins')
const response = await POST(new Request(callbacks.urlFor({ idPayin: 'order-5' }), { method: 'POST' }))
console.log(`answered ${response.status}`)
await client.close()
