// @ts-check
// The customer's bank, for demos: pays when the customer says so, and takes a moment for a transfer.

const transferMs = 2_500
const everyMs = 250

/** A refund of this amount bounces. */
const bounces = 4001

/** @param {import('merchant-gateway-sandbox').Sandbox} sandbox */
export function openBank(sandbox) {
  const timer = setInterval(() => {
    for (const payout of sandbox.payouts.list()) {
      const age = sandbox.clock.now() - Date.parse(payout.createdAt)
      // Whoever settles it on the sandbox's page meanwhile was faster.
      if (payout.processedAt !== undefined || age < transferMs) continue
      payout.settle(payout.money.amount === bounces ? 'FAILED' : 'SUCCESS')
    }
  }, everyMs)
  timer.unref()
  return {
    /** @param {string} idPayin */
    pay: (idPayin) => sandbox.payins.find(idPayin)?.settle('SUCCESS'),
    close: () => clearInterval(timer),
  }
}
