// What a customer reads. The words of the gateway end here.

/** A status of an order: the word for it, whether it is good or bad news, a sentence, how its title begins, and whether it is to be paid. */
const orderWords = {
  PREPARING: {
    word: 'One moment',
    text: 'We are asking the bank how you can pay. Your order is kept, and there is no need to order again.',
  },
  PENDING: {
    word: 'Not paid yet',
    text: 'We are waiting for your payment. This page will notice by itself.',
    isToPay: true,
  },
  SUCCESS: { word: 'Paid', mood: 'good', text: 'Thank you for your order!', title: 'Paid' },
  FAILED: {
    word: 'Not paid',
    mood: 'bad',
    text: 'Your bank did not make the payment. You can order again.',
    title: 'Not paid:',
  },
  EXPIRED: {
    word: 'Too late',
    mood: 'bad',
    text: 'Nobody paid in time, so this order is closed. You can order again.',
    title: 'Not paid:',
  },
  REFUSED: {
    word: 'Not accepted',
    mood: 'bad',
    text: 'The bank did not accept this order, and nothing was paid. Please order again with another bank or account.',
    title: 'Not paid:',
  },
  CHECKING: {
    word: 'Being checked',
    text: 'We have to look at this order ourselves. Please don’t pay it again; we will get in touch.',
    title: 'Being checked:',
  },
}
orderWords.CREATED = orderWords.PENDING
const otherOrder = {
  word: 'Being checked',
  text: 'Your bank is checking the payment. This page will notice by itself.',
  title: 'Being checked:',
}

const refundWords = {
  REQUESTED: { word: 'Noted', text: 'We will send the money back. There is no need to ask again.' },
  PENDING: { word: 'Under way', text: 'The bank is working on it.' },
  SUCCESS: { word: 'Sent back', mood: 'good', text: 'The money is on its way to your account.' },
  FAILED: {
    word: 'Came back to us',
    mood: 'bad',
    text: 'The bank could not deliver the money. We will get in touch with you.',
  },
  CHECKING: {
    word: 'Being checked',
    text: 'We have to look at this refund ourselves, and will get in touch.',
  },
}
refundWords.CREATED = refundWords.PENDING
refundWords.REFUSED = refundWords.CHECKING

export const wordsFor = (status) => (Object.hasOwn(orderWords, status) ? orderWords[status] : otherOrder)
export const refundWordsFor = (status) =>
  Object.hasOwn(refundWords, status) ? refundWords[status] : refundWords.PENDING

/** As the customer's own language writes it: €20.40, or 20,40 €. */
export function moneyText(amount, currency) {
  return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount)
}

export const trouble = {
  offline: 'You are offline. We go on by ourselves as soon as you are connected again.',
  unreachable:
    'We can’t reach the shop. Please leave this page open: we keep trying, and nothing is done twice.',
  slow: 'This takes longer than usual. Please wait: nothing is done twice.',
  busy: 'Please leave this page open: we keep trying, and nothing is done twice.',
}
