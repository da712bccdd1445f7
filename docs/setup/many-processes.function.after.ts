const event = { orderId: 'order-1003', amount: '10.50' }
const [once_, again] = [await handler(event), await handler(event)]
if (once_.replayed || !once_.reference || !again.replayed) throw new Error('two payins')
