// The page of the shop. It talks to the shop's server only, and gets from it what a customer may see.
import { prepare, problem } from './choose.js'
import { ask } from './network.js'
import { connect, leave, watch } from './order.js'

const element = (id) => document.getElementById(id)

/** The order's key is in the fragment, which stays in the browser: a reload and a bookmark find the order again. */
function route() {
  const key = location.hash.slice(1)
  problem()
  leave()
  element('order-form').hidden = key !== ''
  element('order').hidden = true
  if (key !== '') void watch(key)
  else document.title = 'Harbour Tea'
}

const catalogue = await ask('catalogue')
const isDemo = catalogue.gatewayPage !== undefined
element('demo-line').hidden = !isDemo
element('pay-button').hidden = !isDemo
if (isDemo) {
  element('how-to-pay').textContent =
    'With a real gateway you would pay in your bank’s application, with this reference. Here a button does it.'
  // In a frame the gateway's side is next to it.
  element('other-side').hidden = parent !== window
  element('gateway-page').href = catalogue.gatewayPage
}
connect()
prepare(catalogue, { isDemo })
addEventListener('hashchange', route)
route()
