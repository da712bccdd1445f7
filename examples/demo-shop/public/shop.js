// The page of the shop: the form, and the order with what becomes of it. All that it sends may be sent twice, because
// an order has its id before it is sent.
const pollMs = 1_000

/** What a customer reads: the words of the gateway end here. */
const words = {
  PREPARING: ['One moment', 'Your order is kept: there is no need to order again.'],
  PENDING: ['Please pay', 'We are waiting for your payment. This page will notice by itself.'],
  SUCCESS: ['Paid', 'Thank you for your order! It is on its way.'],
  FAILED: ['Not paid', 'Your bank did not make the payment. You can order again.'],
  EXPIRED: ['Not paid', 'Nobody paid in time. You can order again.'],
  REFUSED: ['Not accepted', 'The bank did not accept this order. You can order again.'],
}
const otherWords = ['Being checked', 'We have to look at this order. Please don’t pay it again.']

const element = (name) => document.getElementById(name)
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
/** In the fragment, which stays in the browser: a reload and a bookmark find the order again. */
const id = () => location.hash.slice(1)
const { product, currencyCode } = await ask('catalogue')
const format = new Intl.NumberFormat(undefined, { style: 'currency', currency: currencyCode })
const moneyText = (cents) => format.format(cents / 100)
show('product', `${product.name}, ${product.about}: ${moneyText(product.cents)}`)

addEventListener('hashchange', () => location.reload())
element('form').addEventListener('submit', order)
element('form').hidden = id() !== ''
if (id() !== '') void follow()

/** The id is in the address before anything is sent, so a click, a reload and a lost response stay one order. */
async function order(event) {
  event.preventDefault()
  if (id() === '') history.replaceState(null, '', `#${crypto.randomUUID()}`)
  element('order-button').disabled = true
  const quantity = element('quantity').valueAsNumber
  if (await ask(`orders/${id()}`, { quantity })) void follow()
  element('order-button').disabled = false
}

/** The shop hears of the payment by itself, whether this page is open or not. */
async function follow() {
  for (;;) {
    const found = await ask(`orders/${id()}`)
    element('form').hidden = found !== undefined
    if (found === undefined) return
    showOrder(found)
    await pause(pollMs)
  }
}

function showOrder({ status, cents, quantity, payTo, payouts }) {
  const [word, sentence] = words[status] ?? otherWords
  const isFirst = element('order').hidden
  element('order').hidden = false
  show('title', `${word}: ${moneyText(cents)}`)
  show('status', `${quantity} × ${product.name}. ${sentence}`)
  element('pay').hidden = status !== 'PENDING'
  show('reference', payTo?.reference ?? '')
  show('share', payouts.map((one) => `The tea garden gets ${moneyText(one.cents)}.`).join(' '))
  if (isFirst) element('title').focus()
}

/** Asks until there is a response, over networks that are slow or gone. @returns undefined where that is no, and shows why */
async function ask(path, body) {
  const headers = { 'content-type': 'application/json' }
  const post = body && { method: 'POST', headers, body: JSON.stringify(body) }
  for (;;) {
    const signal = AbortSignal.timeout(15_000)
    const response = await fetch(path, { ...post, signal }).catch(() => undefined)
    const json = await response?.json().catch(() => undefined)
    const isUp = json !== undefined && response.status < 500
    show('notice', isUp ? '' : 'We can’t reach the shop. We keep trying, and nothing is done twice.')
    show('error', isUp && !response.ok ? json.message : '')
    if (isUp) return response.ok ? json : undefined
    await pause(pollMs)
  }
}

/** A screen reader speaks at every change, so only then. */
function show(name, text) {
  if (element(name).textContent !== text) element(name).textContent = text
  element(name).hidden = text === ''
}
