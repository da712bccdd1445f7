import { type GatewayClient, money } from '../../../../src/index.js'

export const account = { accountName: 'Ada', accountNumber: 'DE02120300000000202051' }

export function payIn({ payins }: GatewayClient, idPayin: string, more: { callbackUrl?: string } = {}) {
  return payins.create({
    idPayin,
    paymentRequested: { money: money('10.00', 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
    ...more,
  })
}

export function payOut({ payouts }: GatewayClient, idPayout: string, more: Partial<typeof account> = {}) {
  return payouts.create({
    idPayout,
    paymentRequested: { money: money('10.00', 'EUR') },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { ...account, ...more } },
  })
}
