// Step 1: products, the bank, the account, and the order.
import { decimal, parseCents } from './amount.mjs'
import { forgetDraft, keepDraft, keptDraft, newKey } from './draft.js'
import { ask, Refused } from './network.js'
import { moneyText } from './words.js'

const element = (id) => document.getElementById(id)
const form = element('order-form')

let catalogue
let asking = new AbortController()

/** Fills the form, once. */
export function prepare(given, { isDemo }) {
  catalogue = given
  element('products').replaceChildren(...catalogue.products.map(productRow))
  if (isDemo) {
    element('account-name').value = 'Jana Example'
    element('account-number').value = '000123-0123456789'
  }
  element('products').addEventListener('input', changed)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void order({ key: newKey(), body: orderBody() })
  })
  changed()
  const draft = keptDraft()
  if (draft !== undefined) void order(draft)
}

/** Says what is wrong, or that nothing is. */
export function problem(text) {
  element('error').textContent = text ?? ''
  element('error').hidden = text === undefined
}

/** The draft is kept before it is sent, and forgotten when it was answered: in between, a reload sends it again. */
async function order(draft) {
  problem()
  keepDraft(draft)
  setBusy(true)
  try {
    await ask(`orders/${draft.key}`, { body: draft.body })
    forgetDraft()
    location.hash = draft.key
  } catch (error) {
    forgetDraft()
    problem(error.message)
  } finally {
    setBusy(false)
  }
}

function setBusy(isBusy) {
  const button = form.querySelector('button[type=submit]')
  button.disabled = isBusy
  button.textContent = isBusy ? 'Ordering…' : 'Order'
}

function orderBody() {
  const bank = form.querySelector('input[name=bank]:checked')
  return {
    lines: chosen(),
    bank: { methodCode: bank?.dataset.method, operatorCode: bank?.value },
    account: { accountName: element('account-name').value, accountNumber: element('account-number').value },
  }
}

function chosen() {
  return catalogue.products.flatMap(({ id, cents }) => {
    const quantity = element(`quantity-${id}`).valueAsNumber || 0
    if (quantity === 0) return []
    return [{ product: id, quantity, ...(cents === null && { amount: element(`amount-${id}`).value }) }]
  })
}

function totalCents() {
  return chosen().reduce((sum, { product, quantity, amount }) => {
    const { cents } = catalogue.products.find(({ id }) => id === product)
    return sum + quantity * (cents ?? parseCents(amount) ?? 0)
  }, 0)
}

function changed() {
  const total = totalCents()
  element('total').textContent = moneyText(total / 100, catalogue.currencyCode)
  asking.abort()
  asking = new AbortController()
  void loadBanks(total || catalogue.products[0].cents, asking.signal)
}

/** Which banks there are may depend on the amount. What the customer has chosen stays chosen where it is on offer. */
async function loadBanks(cents, signal) {
  try {
    const banks = await ask(`banks?amount=${decimal(cents)}`, { signal })
    const before = form.querySelector('input[name=bank]:checked')?.value
    const kept = banks.find(({ operatorCode }) => operatorCode === before) ?? banks[0]
    const labels = banks.map((bank) => bankChoice(bank, bank === kept))
    element('banks').replaceChildren(...(labels.length > 0 ? labels : ['No bank takes this amount.']))
  } catch (error) {
    if (error instanceof Refused) problem(error.message)
  }
}

function bankChoice({ methodCode, operatorCode, name }, isChosen) {
  const radio = make('input', { type: 'radio', name: 'bank', value: operatorCode, checked: isChosen })
  radio.dataset.method = methodCode
  const label = make('label')
  label.append(radio, make('span', { textContent: name }))
  return label
}

function productRow({ id, name, about, cents }) {
  const row = make('li')
  const picture = make('span', { className: `picture ${id}` })
  const text = make('div', { className: 'about' })
  text.append(make('strong', { textContent: name, id: `name-${id}` }), make('span', { textContent: about }))
  const price = make('div', { className: 'price' })
  if (cents === null) price.append(giftAmount(id))
  else price.textContent = moneyText(cents / 100, catalogue.currencyCode)
  row.append(picture, text, price, quantityOf(id, name))
  return row
}

function giftAmount(id) {
  const input = make('input', { id: `amount-${id}`, inputMode: 'decimal', value: '25', autocomplete: 'off' })
  input.setAttribute('aria-label', `Amount of the gift card in ${catalogue.currencyCode}`)
  return input
}

function quantityOf(id, name) {
  const most = catalogue.limits.quantity
  const input = make('input', {
    id: `quantity-${id}`,
    type: 'number',
    min: '0',
    max: String(most),
    value: '0',
  })
  input.inputMode = 'numeric'
  input.setAttribute('aria-label', `How many: ${name}`)
  const step = (by) => () => {
    input.value = String(Math.min(most, Math.max(0, (input.valueAsNumber || 0) + by)))
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const group = make('div', { className: 'quantity' })
  group.append(stepper('−', `One ${name} less`, step(-1)), input, stepper('+', `One ${name} more`, step(1)))
  return group
}

function stepper(text, label, onClick) {
  const button = make('button', { type: 'button', textContent: text })
  button.setAttribute('aria-label', label)
  button.addEventListener('click', onClick)
  return button
}

function make(tag, properties = {}) {
  return Object.assign(document.createElement(tag), properties)
}
