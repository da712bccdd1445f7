// Steps 2 and 3: paying, and what has become of it. The page asks again and again; the shop hears of the payment by
// itself, whether this page is open or not.
import { problem } from './choose.js'
import { ask, Refused } from './network.js'
import { moneyText, refundWordsFor, wordsFor } from './words.js'

const element = (id) => document.getElementById(id)
const soonMs = 2_000
const laterMs = 6_000
/** How often it is asked soon, until it is asked later. */
const soonTimes = 30

let watching = new AbortController()
let key = ''
let shown
let countdown
/** The number makes the same refund of a second click, and not another one. */
let nextRefund = 1
let wake = () => {}

export function connect() {
  element('pay-button').addEventListener('click', () => press('pay-button', 'pay'))
  element('refund-button').addEventListener('click', () =>
    press('refund-button', 'refund', { number: nextRefund, amount: element('refund-amount').value }),
  )
  document.addEventListener('visibilitychange', () => wake())
}

export function leave() {
  watching.abort()
  wake()
  clearInterval(countdown)
}

/** Shows the order and what happens to it, until the page shows another. */
export async function watch(orderKey) {
  watching = new AbortController()
  const { signal } = watching
  key = orderKey
  shown = undefined
  try {
    // The first look asks the gateway as well, and so does the first after the page was hidden.
    let isFirst = true
    for (let times = 0; !signal.aborted; times++) {
      const order = await ask(`orders/${key}${isFirst ? '' : '?stored'}`, { signal })
      if (signal.aborted) return
      show(order)
      await rest(isSettled(order) ? undefined : times < soonTimes ? soonMs : laterMs)
      isFirst = document.hidden
      while (document.hidden && !signal.aborted) await rest()
    }
  } catch (error) {
    if (error instanceof Refused) problem(error.message)
  }
}

/** Whether nothing more will happen to the order by itself. */
function isSettled({ isFinal, refund }) {
  return isFinal && (refund === null || refund.isFinal)
}

/** For so long, or until something happens. */
function rest(ms) {
  return new Promise((resolve) => {
    const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

/** With the button out of reach meanwhile. */
async function press(id, action, body = {}) {
  problem()
  element(id).disabled = true
  try {
    show(await ask(`orders/${key}/${action}`, { body }))
    wake()
  } catch (error) {
    problem(error.message)
  } finally {
    element(id).disabled = false
  }
}

/** Only what differs is written: a screen reader speaks at every change. */
function show(order) {
  const text = JSON.stringify(order)
  if (text === shown) return
  const isFirst = shown === undefined
  shown = text
  const { number, lines, total, accountEnd, status, isFinal, payTo, refund, left } = order
  const words = wordsFor(status)
  const all = moneyText(total.amount, total.currencyCode)
  element('order').hidden = false
  document.title = `${words.word}: order ${number} – Harbour Tea`
  write('order-title', `${words.title ?? 'Pay'} ${all}`)
  write('step', isFinal ? 'Step 3 of 3' : 'Step 2 of 3')
  element('progress').value = isFinal ? 3 : 2
  chip('status', 'status-text', words)
  write('order-number', number)
  const rows = lines.map(({ name, quantity, amount }) =>
    lineOf(`${quantity} × ${name}`, moneyText(amount, total.currencyCode)),
  )
  element('lines').replaceChildren(...rows, lineOf('Total', all))
  element('pay').hidden = words.isToPay !== true || payTo === null
  pay(payTo ?? {})
  write('account-end', accountEnd)
  nextRefund = (refund?.number ?? 0) + 1
  const mayAsk = Number(left) > 0 && (refund === null || refund.status === 'SUCCESS')
  element('refund-form').hidden = status !== 'SUCCESS' || !mayAsk
  element('refund-amount').value = left
  element('refund').hidden = refund === null
  if (refund) {
    chip('refund-status', 'refund-text', refundWordsFor(refund.status))
    write('refund-title', `Your refund of ${moneyText(refund.amount, total.currencyCode)}`)
  }
  if (isFirst) element('order-title').focus()
}

function pay({ bank, reference, expireAt }) {
  for (const [id, text] of Object.entries({ bank, reference })) {
    write(id, text ?? '')
    element(id).closest('div').hidden = text === undefined
  }
  clearInterval(countdown)
  element('countdown').closest('div').hidden = expireAt === undefined
  if (expireAt !== undefined) countDown(Date.parse(expireAt))
}

function countDown(expireAt) {
  const tick = () => {
    const seconds = Math.max(0, Math.round((expireAt - Date.now()) / 1000))
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
    const clock = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes)
    element('countdown').textContent = `${clock}:${two(seconds % 60)}`
  }
  tick()
  countdown = setInterval(tick, 1000)
}

const two = (number) => String(number).padStart(2, '0')

function lineOf(text, price) {
  const line = document.createElement('li')
  line.append(
    ...[text, price].map((part) => Object.assign(document.createElement('span'), { textContent: part })),
  )
  return line
}

function chip(id, text, words) {
  write(id, words.word)
  element(id).dataset.mood = words.mood ?? 'waiting'
  write(text, words.text)
}

function write(id, text) {
  if (element(id).textContent !== text) element(id).textContent = text
}
