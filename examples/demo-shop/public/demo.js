// The bar: presses what goes wrong, and counts the shop's orders and the gateway's payments.
const pollMs = 500
const element = (id) => document.getElementById(id)
const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`
let isByHand

for (const { id } of document.querySelectorAll('button'))
  element(id).addEventListener('click', () => press(id))
element('by-hand').addEventListener('change', ({ target }) =>
  press(target.checked ? 'by-hand' : 'with-library'),
)
for (;;) {
  await fetch('state').then(show, () => say('verdict', 'The demo has ended.'))
  await new Promise((resolve) => setTimeout(resolve, pollMs))
}

async function press(name) {
  const headers = { 'content-type': 'application/json' }
  await show(await fetch(name, { method: 'POST', headers, body: '{}' }))
}

async function show(response) {
  const now = await response.json()
  const extra = Math.max(0, now.payins - now.orders) + Math.max(0, now.payouts - now.sold)
  const sales = `${count(now.orders, 'order')}, ${count(now.payins, 'payin')}`
  say('counter', `${sales}. ${now.sold} sold, ${count(now.payouts, 'payout')} to the tea garden.`)
  const verdict = extra > 0 ? `${count(extra, 'payment')} too many!` : 'None is paid twice.'
  say('verdict', now.isRunning ? verdict : 'The shop is dead, and starts again.')
  element('verdict').className = extra > 0 ? 'bad' : ''
  element('lose').ariaPressed = String(now.loses)
  element('repeat').ariaPressed = String(now.repeats)
  if (now.isByHand === isByHand || !now.isRunning) return
  // The other shop knows nothing of the orders of this one.
  isByHand = now.isByHand
  element('by-hand').checked = isByHand
  element('shop').src = '/'
}

/** A screen reader speaks at every change, so only then. */
function say(id, text) {
  if (element(id).textContent !== text) element(id).textContent = text
}
