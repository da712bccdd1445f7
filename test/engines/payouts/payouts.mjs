// @ts-check

/** A payout whose amount and account are those of its line and of no other. @param {number} line */
export function payoutOf(line) {
  return {
    idPayout: `line-${line}`,
    paymentRequested: { money: { amount: 1_000_000 + line, currencyCode: 'EUR' } },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      paymentOperatorCode: 'HARBOUR',
      account: { accountName: `Customer ${line}`, accountNumber: `DE${10_000_000 + line}` },
    },
  }
}

/** @param {number} count */
export function* payouts(count) {
  for (let line = 1; line <= count; line++) yield payoutOf(line)
}
