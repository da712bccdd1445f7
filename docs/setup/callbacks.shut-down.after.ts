await shutDown()
const { status } = await callbacks.receive(callbacks.urlFor({ idPayin: 'order-8' }))
console.log(status === 503 ? 'answered 204 no more' : status)
