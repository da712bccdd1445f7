// The shops with known bugs, and right ones: which cases show the bug, and what else `rehearse` has to be told.
// Each wrong shop stands for what its first line names, a public thread mostly; its code is our own.

/** How these shops show that an order is paid, and how often it was delivered. */
const shown = ['--status', '{url}/orders/{n}', '--paid', 'state=paid', '--once', 'shipped=1']
const price = ['--price', '19.90 EUR']
const usual = [...shown, ...price]
const refund = [
  '--payouts',
  '--before',
  'POST {url}/orders/{n}',
  '--action',
  'POST {url}/orders/{n}/refund',
  ...price,
]

const wrong = {
  'webstore-158.php': ['double-click'],
  'woocommerce-62659.php': ['two-tabs'],
  'woocommerce-14541.php': ['answer-late'],
  'prestashop-11487.php': ['callback-ten-times'],
  'multisafepay-magento2-74.php': ['callback-ten-times'],
  'mollie-prestashop-1251.php': ['two-tabs'],
  'laravel-mollie-119.php': ['callback-first-only'],
  'razorpay-woocommerce-157.php': ['paid-late'],
  'paymenter-1258.php': [],
  'shopaholic-24.php': ['returned-unpaid'],
  'airwallex-magento-8.php': ['token-revoked'],
  'saleor-11133.py': ['two-tabs'],
  'saleor-19220.py': ['callback-and-visit'],
  'solidus-stripe-44.py': [],
  'polar-10728.py': ['callback-first'],
  'moodle-paygw-stripe-2.py': [undefined, [...shown, '--price', '1990 JPY']],
  'altarwed-209.py': ['callback-never'],
  'hyperswitch-13182.py': ['double-click', refund],
  'stripe-java-389.py': ['lost-and-restarted'],
  'saleor-6428.py': ['payment-failed'],
  'medusa-13301.mjs': ['callback-and-visit'],
  'medusa-16681.mjs': ['answer-lost', refund],
  'medusa-3146.mjs': ['callback-first'],
  'spree-8540.mjs': ['two-workers'],
  'coreshop-2529.mjs': ['paid-late'],
  'nopcommerce-1089.mjs': ['paid-too-little'],
  'payone-magento-340.mjs': ['returned-unpaid'],
  'woocommerce-stripe-5691.mjs': ['status-request-fails'],
  'adyen-commercetools-1305.mjs': ['error-after'],
  'payone-magento-59.mjs': ['killed-before'],
  'cancels-in-a-sweep.mjs': ['paid-late'],
  'id-of-the-second.py': ['answer-lost'],
  'tells-409.php': ['answer-lost'],
  'id-of-the-minute.mjs': ['lost-a-minute-ago'],
  'expiry-in-local-time.php': [],
  'expires-unasked.mjs': ['expiry-passed'],
  'paid-then-delivered.py': ['killed-when-paid'],
  'callback-once.php': ['killed-when-paid'],
  'looks-five-times.mjs': ['paid-after-a-while'],
  'ships-unknown-status.py': ['unknown-status'],
  'any-currency.php': ['paid-in-another-currency'],
  'stale-status.mjs': ['stale-status'],
  'believes-the-address.php': ['returned-unpaid'],
  'counts-anew.py': ['killed-at-any-moment'],
}

const right = {
  'plain.mjs': usual,
  'outbox.mjs': usual,
  'two-workers.mjs': usual,
  'polls.mjs': usual,
  'sweeps.mjs': usual,
  'form.mjs': [
    ...['--status', '{url}/orders/{n}', '--paid', '200 Status: bezahlt', '--once', 'Lieferungen: 1'],
    ...price,
  ],
  'refunds.mjs': refund,
  'client.mjs': usual,
  'threads.py': usual,
  'inbox.py': usual,
  'locks.php': usual,
  'envelope.php': [
    ...['--status', '{url}/orders/{n}', '--paid', 'data.order.state=paid', '--once', 'data.order.shipped=1'],
    ...price,
  ],
  'cron.mjs': usual,
  'forks.py': usual,
  'looks.php': usual,
  'refund-outbox.mjs': refund,
}

export const shops = [
  ...Object.entries(wrong).map(([file, [name, args = usual]]) => ({
    file: `wrong/${file}`,
    isWrong: true,
    name,
    args,
  })),
  ...Object.entries(right).map(([file, args]) => ({
    file: `right/${file}`,
    isWrong: false,
    // Nobody says how long it may take.
    isSlow: file === 'cron.mjs',
    name: 'all',
    args,
  })),
]
