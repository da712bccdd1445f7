const order = () => new Request('https://shop.example/', { method: 'POST', body: '{"orderId":"order-1","amount":"10.50"}' })
const [first, again] = [await worker.fetch(order(), environment), await worker.fetch(order(), environment)]
if (first.status !== 200 || again.status !== 200 || sandbox.payins.size !== 1) throw new Error('two payins')
const { callbackUrl = '' } = sandbox.payins.get('order-1')
const called = await worker.fetch(new Request(callbackUrl, { method: 'POST' }), environment)
if (called.status !== 204 || !kept.has('order-1')) throw new Error('the callback was lost')
const minted = sandbox.requests.filter(({ path }) => path.startsWith('/auth-tokens'))
if (minted.length !== 1) throw new Error('more than one token request')
await sandbox.close()
