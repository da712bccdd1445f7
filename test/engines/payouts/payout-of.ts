/** A payout whose amount and account are those of its number and of no other. */
export function payoutOf(number: number) {
  return {
    idPayout: `withdrawal-${number}`,
    paymentRequested: { money: { amount: 1_000_000 + number, currencyCode: 'EUR' } },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      paymentOperatorCode: 'HARBOUR',
      account: { accountName: `Customer ${number}`, accountNumber: `DE${10_000_000 + number}` },
    },
  }
}
