await client.payouts.create({
  idPayout: 'order-1',
  paymentRequested: { money: money('5011', 'EUR') },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '000123-0123456789' } },
})
await client.close()
console.log(lines.find((line) => line.includes('succeeded (2 attempts')))
