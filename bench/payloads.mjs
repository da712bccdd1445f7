// @ts-check
// What travels in every measurement: one payin, one token, one response to each kind of request.

export const idPayin = '5f0c8f6e-3a47-4a0e-9a51-0b6f1f4f2d11'
export const path = `/payins/${idPayin}`

const part = (/** @type {object} */ value) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JWT of the size that a gateway's tokens have. Nobody checks its signature here. */
export const token = [
  part({ alg: 'RS256', typ: 'JWT', kid: 'bench' }),
  part({ sub: 'M-0001', operations: ['POST /payins/.*', 'GET /payins/.*'] }),
  'A'.repeat(342),
].join('.')

export const request = {
  paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
  paymentMethod: {
    paymentMethodCode: 'VAPAY',
    paymentOperatorCode: 'HARBOUR',
    account: { accountName: 'Jane Doe', accountNumber: '0123456789' },
    emailAddress: 'jane.doe@shop.example',
  },
  callbackUrl: 'https://shop.example/callbacks/payins',
  returnUrl: 'https://shop.example/orders/1001',
}

const { paymentRequested, returnUrl } = request

const paymentMethodResponse = {
  idPayin,
  paymentMethodCode: 'VAPAY',
  account: {
    accountName: 'Jane Doe',
    accountNumber: '0123456789',
    bankCode: 'BANK_A',
    bankName: 'The First Bank',
  },
  money: paymentRequested.money,
  expireAt: '2030-01-01T00:00:00.000Z',
  reference: 'VA-1234567890',
  returnUrl,
}

export const answers = {
  token: JSON.stringify({ token }),
  created: JSON.stringify({ paymentRequested, paymentMethodResponse }),
  found: JSON.stringify({
    paymentRequested,
    process: { status: 'SUCCESS', createdAt: '2029-12-31T23:00:00.000Z', isTest: true },
    paymentMethodResponse,
  }),
}

/** The headers that the client sends, for the contenders that have to write them themselves. */
export const readHeaders = {
  accept: 'application/json',
  'x-api-version': '2',
  'user-agent': 'merchant-gateway',
  authorization: `Bearer ${token}`,
}
export const createHeaders = { ...readHeaders, 'content-type': 'application/json' }
