const idPayin = 'order-1001'
await client.payins.create({
  idPayin,
  paymentRequested: { money: money('10.50', 'EUR') },
  paymentMethod: { paymentMethodCode: 'VAPAY' },
})
const data = await pageData(idPayin)
if (client.authTokens.decode(data.token).claims.action !== 'PAYIN_INFO') throw new Error('another token')
const own = await client.authTokens.createByAction({ action: 'PAYIN_CREATE', idPayment: idPayin })
if (`${own.token}` !== '[redacted]' || own.token.reveal() === '') throw new Error('it shows')
// @ts-expect-error a token for servers is none for a page
const page: PageData = { idPayin, token: own.token }
void page
await client.close()
