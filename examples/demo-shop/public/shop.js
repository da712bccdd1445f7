// The page of the shop: the form, and the order with what becomes of it. It talks to the shop's server only, and gets
// from it what a customer may see.
import { ask, pause, show } from './ask.js'

const pollMs = 2_000
const shortestKey = 22

/** What a customer reads: the words of the gateway end here. */
const orderWords = {
  PREPARING: [
    'One moment',
    'waiting',
    'We are asking the bank how you can pay. Your order is kept: there is no need to order again.',
  ],
  CREATED: ['Not paid yet', 'waiting', 'We are waiting for your payment. This page will notice by itself.'],
  PENDING: ['Not paid yet', 'waiting', 'We are waiting for your payment. This page will notice by itself.'],
  SUCCESS: ['Paid', 'good', 'Thank you for your order! It is on its way.'],
  FAILED: ['Not paid', 'bad', 'Your bank did not make the payment. You can order again.'],
  EXPIRED: ['Not paid', 'bad', 'Nobody paid in time. You can order again.'],
  REFUSED: ['Not accepted', 'bad', 'The bank did not accept this order. You can order again.'],
}
const otherOrder = ['Being checked', 'waiting', 'We have to look at this order. Please don’t pay it again.']
const refundWords = {
  REQUESTED: ['Noted', 'waiting', 'We will send the money back. There is no need to ask again.'],
  CREATED: ['Under way', 'waiting', 'The bank is working on it.'],
  PENDING: ['Under way', 'waiting', 'The bank is working on it.'],
  SUCCESS: ['Sent back', 'good', 'The money is on its way to your account.'],
  FAILED: ['Came back', 'bad', 'The bank could not deliver the money. We will get in touch.'],
}
const otherRefund = ['Being checked', 'waiting', 'We have to look at this refund, and will get in touch.']

const { product, currencyCode, isDemo } = await ask('catalogue')
const element = (id) => document.getElementById(id)
const make = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}
/** As the customer's own language writes it: €20.40, or 20,40 €. */
const format = new Intl.NumberFormat(undefined, { style: 'currency', currency: currencyCode })
const moneyText = (cents) => format.format(cents / 100)

/** The order's key is in the fragment, which stays in the browser: a reload and a bookmark find the order again. */
const key = () => location.hash.slice(1)
addEventListener('hashchange', () => location.reload())

for (const part of document.querySelectorAll('[data-demo]')) part.hidden = !isDemo
// In a frame the gateway's side is beside it.
element('both').hidden = parent !== window
element('order-form').addEventListener('submit', order)
element('order-form').addEventListener('input', showTotal)
element('quantity').addEventListener('change', showBanks)
element('pay-button').addEventListener('click', () => press('pay-button', '/pay', {}))
element('refund-form').addEventListener('submit', (event) => {
  event.preventDefault()
  // The number makes the same refund of a second click, and not another one.
  void press('refund-button', '/refund', { number: nextRefund, amount: element('refund-amount').value })
})

let banksFor = 0
let shown = ''
let leftShown = 0
let nextRefund = 1
if (key() === '') showForm()
else await follow().catch(showForm)

/** With what is wrong, if anything. */
function showForm({ message } = { message: '' }) {
  show('error', message)
  element('order').hidden = true
  element('order-form').hidden = false
  show('product', product.name)
  show('about', product.about)
  show('price', moneyText(product.cents))
  if (isDemo) {
    element('account-name').value = 'Jana Example'
    element('account-number').value = '000123-0123456789'
  }
  showTotal()
  void showBanks()
}

function totalCents() {
  return (element('quantity').valueAsNumber || 0) * product.cents
}

function showTotal() {
  element('total').textContent = moneyText(totalCents())
}

/** Which banks there are may depend on the amount. What the customer has chosen stays chosen where it is on offer. */
async function showBanks() {
  const cents = totalCents() || product.cents
  banksFor = cents
  const banks = await ask(`banks?cents=${cents}`).catch(() => [])
  if (banksFor !== cents) return
  const before = element('banks').querySelector('input:checked')?.value
  const chosen = banks.find(({ operatorCode }) => operatorCode === before) ?? banks[0]
  const choices = banks.map((bank) => {
    const radio = make('input', {
      type: 'radio',
      name: 'bank',
      value: bank.operatorCode,
      checked: bank === chosen,
    })
    radio.dataset.method = bank.methodCode
    return make('label', {}, radio, bank.name)
  })
  element('banks').replaceChildren(...(choices.length > 0 ? choices : ['No bank takes this amount.']))
}

/** A key that nobody guesses: it is what opens the order. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** The key is in the address before anything is sent, so a click, a reload and a lost answer stay one order. */
async function order(event) {
  event.preventDefault()
  if (key().length < shortestKey) history.replaceState(null, '', `#${newKey()}`)
  const bank = element('banks').querySelector('input:checked')
  const isOrdered = await press('order-button', '', {
    quantity: element('quantity').valueAsNumber,
    bank: { methodCode: bank?.dataset.method, operatorCode: bank?.value },
    account: { accountName: element('account-name').value, accountNumber: element('account-number').value },
  })
  if (isOrdered) void follow().catch(showForm)
}

/** With the button out of reach meanwhile. @returns whether the shop has said yes */
async function press(id, action, body) {
  show('error', '')
  element(id).disabled = true
  try {
    showOrder(await ask(`orders/${key()}${action}`, body))
    return true
  } catch (error) {
    show('error', error.message)
    return false
  } finally {
    element(id).disabled = false
  }
}

/** The shop hears of the payment by itself, whether this page is open or not. */
async function follow() {
  for (;;) {
    showOrder(await ask(`orders/${key()}`))
    await pause(pollMs)
  }
}

/** Only what differs is written: a screen reader speaks at every change. */
function showOrder(found) {
  const text = JSON.stringify(found)
  if (text === shown) return
  const isFirst = shown === ''
  shown = text
  const { number, quantity, cents, accountEnd, status, payTo, refunds, left } = found
  const [word, mood, sentence] = orderWords[status] ?? otherOrder
  const isToPay = ['PREPARING', 'CREATED', 'PENDING'].includes(status)
  element('order-form').hidden = true
  element('order').hidden = false
  document.title = `${word}: order ${number} – Harbour Tea`
  show('order-title', `${isToPay ? 'Pay' : `${word}:`} ${moneyText(cents)}`)
  show('status-text', sentence)
  element('status').replaceWith(chip(word, mood, 'status'))
  element('pay').hidden = !isToPay || payTo === null
  show('bank', payTo?.bank ?? '')
  show('reference', payTo?.reference ?? '')
  show('pay-until', payTo?.expireAt ? new Date(payTo.expireAt).toLocaleString() : '')
  show('order-number', number)
  show('what', `${quantity} × ${product.name}`)
  element('refunds').hidden = refunds.length === 0
  element('refund-list').replaceChildren(...refunds.map(refundRow))
  element('refund-form').hidden =
    status !== 'SUCCESS' || left === 0 || refunds.some((refund) => refund.status === 'REQUESTED')
  show('account-end', accountEnd)
  nextRefund = refunds.length + 1
  // What the customer is writing stays.
  if (left !== leftShown) element('refund-amount').value = (left / 100).toFixed(2)
  leftShown = left
  if (isFirst) element('order-title').focus()
}

function refundRow({ status, cents }) {
  const [word, mood, sentence] = refundWords[status] ?? otherRefund
  return make('li', {}, make('span', { textContent: `${moneyText(cents)}. ${sentence}` }), chip(word, mood))
}

function chip(word, mood, id = '') {
  return make('span', { id, className: `chip ${mood}`, textContent: word })
}
