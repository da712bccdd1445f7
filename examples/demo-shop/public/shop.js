// The page of the shop. It talks to the shop's server only, and gets from it what a customer may see.

const element = (id) => document.getElementById(id)
const titles = { SUCCESS: 'Paid', FAILED: 'Not paid:', EXPIRED: 'Not paid:' }
const statusTexts = {
  PENDING: 'We are waiting for your payment. This page will notice by itself.',
  SUCCESS: 'Paid. Thank you!',
  FAILED: 'The payment failed. Nothing was taken.',
  EXPIRED: 'Too late: nobody paid in time.',
}
const refundTexts = {
  REQUESTED: 'We have asked our bank to send it.',
  CREATED: 'We have asked our bank to send it.',
  PENDING: 'The bank is working on it.',
  SUCCESS: 'The money is on its way to your account.',
  FAILED: 'The bank sent it back. Please check the account.',
}

let events
let countdown

async function ask(path, body) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, body === undefined ? {} : init)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message)
  return answer
}

/** Does something that may fail, with the button out of reach meanwhile. */
async function attempt(button, work) {
  element('error').hidden = true
  if (button) button.disabled = true
  try {
    await work()
  } catch (error) {
    element('error').textContent = error.message
    element('error').hidden = false
  } finally {
    if (button) button.disabled = false
  }
}

function bankChoice(paymentMethodCode, { code, name }) {
  const label = document.createElement('label')
  const radio = document.createElement('input')
  Object.assign(radio, { type: 'radio', name: 'bank', value: code, required: true })
  radio.dataset.method = paymentMethodCode
  const text = document.createElement('span')
  text.textContent = name
  label.append(radio, text)
  return label
}

async function loadBanks() {
  const query = new URLSearchParams({
    amount: element('amount').value,
    currencyCode: element('currency').value,
  })
  await attempt(undefined, async () => {
    const { data, gatewayPage } = await ask(`api/options?${query}`)
    const banks = data.flatMap(({ paymentMethodCode, paymentOperators }) =>
      paymentOperators.map((operator) => bankChoice(paymentMethodCode, operator)),
    )
    // What the customer has chosen stays chosen, where it is still on offer.
    const chosen = document.querySelector('input[name=bank]:checked')?.value
    const radios = banks.map((label) => label.querySelector('input'))
    const kept = radios.find(({ value }) => value === chosen) ?? radios[0]
    if (kept) kept.checked = true
    element('banks').replaceChildren(...(banks.length > 0 ? banks : ['No bank takes this currency.']))
    element('other-side').hidden = gatewayPage === undefined
    element('gateway-page').href = gatewayPage ?? ''
  })
}

function show(order) {
  const { amount, currencyCode, status, isFinal, payTo, refund } = order
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency: currencyCode })
  element('order-title').textContent = `${titles[status] ?? 'Pay'} ${digits.format(amount)}`
  element('step').textContent = refund ? 'Refund' : isFinal ? 'Step 3 of 3' : 'Step 2 of 3'
  setStatus('status', 'status-text', status, statusTexts)
  element('pay').hidden = isFinal
  element('bank').textContent = payTo.bank ?? ''
  element('account').textContent = payTo.account ?? ''
  element('account-row').hidden = payTo.account === undefined
  element('reference').textContent = payTo.reference ?? ''
  element('refund-form').hidden = status !== 'SUCCESS' || refund !== null
  element('refund').hidden = refund === null
  if (refund) setStatus('refund-status', 'refund-text', refund.status, refundTexts)
  clearInterval(countdown)
  if (!isFinal && payTo.expireAt) countDown(Date.parse(payTo.expireAt))
}

/** Only what differs is written: a screen reader speaks at every change. */
function setStatus(chip, text, status, texts) {
  if (element(chip).textContent === status) return
  element(chip).textContent = status
  element(chip).dataset.status = status
  element(text).textContent = texts[status] ?? 'We will tell you when there is more to say.'
}

function countDown(expireAt) {
  const tick = () => {
    const seconds = Math.max(0, Math.round((expireAt - Date.now()) / 1000))
    element('countdown').textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  }
  tick()
  countdown = setInterval(tick, 1000)
}

/** The order in the fragment, so that a reload and a bookmark find it again. */
function route() {
  const id = location.hash.slice(1)
  events?.close()
  clearInterval(countdown)
  element('order-form').hidden = id !== ''
  element('order').hidden = id === ''
  if (id === '') return
  for (const chip of ['status', 'refund-status']) element(chip).textContent = ''
  events = new EventSource(`api/orders/${id}/events`)
  events.onmessage = ({ data }) => show(JSON.parse(data))
  events.onerror = () => {
    if (events.readyState !== EventSource.CLOSED) return
    element('error').textContent = 'The shop does not know this order (any more).'
    element('error').hidden = false
  }
  element('order-title').focus()
}

element('order-form').addEventListener('submit', (event) => {
  event.preventDefault()
  void attempt(event.submitter, async () => {
    const bank = document.querySelector('input[name=bank]:checked')
    const { id } = await ask('api/orders', {
      amount: element('amount').value,
      currencyCode: element('currency').value,
      paymentMethodCode: bank?.dataset.method,
      paymentOperatorCode: bank?.value,
    })
    location.hash = id
  })
})
element('pay-button').addEventListener('click', (event) => {
  void attempt(event.currentTarget, () => ask(`api/orders/${location.hash.slice(1)}/pay`, {}))
})
element('refund-form').addEventListener('submit', (event) => {
  event.preventDefault()
  const account = Object.fromEntries(new FormData(event.currentTarget))
  void attempt(event.submitter, () => ask(`api/orders/${location.hash.slice(1)}/refund`, account))
})
for (const field of ['amount', 'currency']) element(field).addEventListener('change', () => void loadBanks())
addEventListener('hashchange', route)
void loadBanks()
route()
