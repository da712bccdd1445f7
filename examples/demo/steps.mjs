// @ts-check
import { randomUUID } from 'node:crypto'
import { isGatewayError, money, statusOf } from 'merchant-gateway'
import { masked } from './transcript.mjs'
import { accountLines, feeText, lifetimeOf, listed, scopeOf, shown } from './wording.mjs'

/**
 * @typedef {import('./gateway.mjs').Gateway} Gateway
 * @typedef {import('./callbacks.mjs').CallbackDesk} CallbackDesk
 *
 * @typedef {object} Choices what the person who runs the demo may choose
 * @property {string} amount
 * @property {string} currency
 * @property {string | undefined} accountName
 * @property {string | undefined} accountNumber
 * @property {string} payoutMethod
 *
 * @typedef {object} Demo
 * @property {Gateway} gateway
 * @property {CallbackDesk} callbacks
 * @property {Choices} choices
 * @property {AbortSignal} signal
 * @property {(text: string) => void} heading
 * @property {(title: string, run: () => Promise<string[]>) => Promise<void>} step
 */

/** Thrown by a step that does not apply; the message says why. */
export class Skipped extends Error {}

/** The direct-integration sequence, the payout sequence, and the rest. @param {Demo} demo */
export async function walk(demo) {
  const operatorCode = await walkPayin(demo)
  await walkPayout(demo, operatorCode)
  await walkAccount(demo)
}

/** @param {Demo} demo @returns {Promise<string>} the payment operator that was chosen */
async function walkPayin({ gateway, callbacks, choices, signal, heading, step }) {
  const { client } = gateway
  const idPayin = randomUUID()
  const price = money(choices.amount, choices.currency)
  let methodCode = ''
  let operatorCode = ''
  heading('A payin: a customer pays the merchant')

  await step('Generate an auth token', async () => {
    const { token } = await client.authTokens.createByAction(
      { action: 'PAYIN_CREATE', idPayment: idPayin },
      { signal },
    )
    const decoded = client.authTokens.decode(token)
    return [
      `A token for ${scopeOf(decoded)}, ${lifetimeOf(decoded)}.`,
      'It is here to be looked at. For its own calls the client gets and keeps tokens by itself.',
    ]
  })
  await step('List the payment options', async () => {
    const { data } = await client.payins.paymentOptions(price, { signal })
    const [method] = data
    const [operator] = method?.paymentOperators ?? []
    if (method === undefined || operator === undefined) {
      throw new Error(
        `The gateway offers nothing to pay ${shown(choices)} with; choose with --amount and --currency.`,
      )
    }
    methodCode = method.paymentMethodCode
    operatorCode = operator.code
    const names = method.paymentOperators.map(({ name }) => name).join(', ')
    return [
      `${shown(choices)} can be paid with ${methodCode} at ${names}.`,
      `The demo takes ${operator.name}.`,
    ]
  })
  await step('Read the merchant name', async () => {
    const { channelInfo } = await client.merchantInfo.retrieve({ signal })
    return [`The customer pays "${channelInfo?.name}".`]
  })
  await step('Create the payin', async () => {
    const account = customer(gateway, choices)
    const payin = await client.payins.create(
      {
        idPayin,
        paymentRequested: { money: price },
        paymentMethod: {
          paymentMethodCode: methodCode,
          paymentOperatorCode: operatorCode,
          ...(account === undefined ? {} : { account, emailAddress: 'customer@example.com' }),
        },
        returnUrl: 'https://shop.example/thanks',
      },
      { signal },
    )
    const { reference, expireAt } = payin.paymentMethodResponse ?? {}
    return [
      `Payin ${idPayin} over ${shown(choices)} was accepted.`,
      `The customer pays with reference ${reference ?? '(none)'} until ${expireAt ?? '(no limit)'}.`,
    ]
  })
  await step('Receive the callback', async () => {
    if (!gateway.isLocal) throw new Skipped(cannotCall)
    const told = await callbacks.told(idPayin, gateway.waitMs, signal)
    return [
      'A callback only says that something changed, and anybody could send one. So its URL, which the client had signed, was checked, and the payin looked up.',
      `Seen so far: ${told.join(', ')}.`,
    ]
  })
  await step('Read the payin status', () =>
    statusLines(gateway, 'payin', () =>
      client.payins.waitFor(idPayin, { maxWaitMs: gateway.waitMs, signal }),
    ),
  )
  await step('Read the customer account data', async () => {
    if (!gateway.hasAccountPath) {
      throw new Skipped('Its path is not in the specification; name it with --customer-account-path.')
    }
    try {
      return accountLines(await client.payins.customerAccount(idPayin, { signal }))
    } catch (error) {
      if (gateway.isLocal || !isGatewayError(error) || error.code !== 'not_found') throw error
      throw new Skipped('There is none yet (404): it comes shortly after the creation and after the payment.')
    }
  })
  return operatorCode
}

/** @param {Demo} demo @param {string} operatorCode */
async function walkPayout({ gateway, callbacks, choices, signal, heading, step }, operatorCode) {
  const { client } = gateway
  const account = customer(gateway, choices)
  heading('A payout: the merchant sends money')
  if (account === undefined) {
    await step('Create the payout', async () => {
      throw new Skipped(
        'This gateway is not on this machine, and a payout moves money. Say where to, with --account-number and --account-name.',
      )
    })
    return
  }
  const idPayout = randomUUID()
  const create = () =>
    client.payouts.create(
      {
        idPayout,
        paymentRequested: { money: money(choices.amount, choices.currency) },
        paymentMethod: {
          paymentMethodCode: choices.payoutMethod,
          paymentOperatorCode: operatorCode,
          account,
          ...(gateway.isLocal ? { emailAddress: 'customer@example.com' } : {}),
        },
      },
      { signal },
    )
  await step('Create the payout', async () => {
    await create()
    return [
      `Payout ${idPayout} over ${shown(choices)} to account ${masked(account.accountNumber)} was accepted.`,
      `Its method is ${choices.payoutMethod}. The id was chosen before the call.`,
    ]
  })
  await step('Receive the callback', async () => {
    if (!gateway.isLocal) throw new Skipped(cannotCall)
    const told = await callbacks.told(idPayout, gateway.waitMs, signal)
    return [`Checked and looked up in the same way. Seen so far: ${told.join(', ')}.`]
  })
  await step('Read the payout status', () =>
    statusLines(gateway, 'payout', () =>
      client.payouts.waitFor(idPayout, { maxWaitMs: gateway.waitMs, signal }),
    ),
  )
  await step('Create the same payout again', async () => {
    const again = await create()
    if (!again.replayed) throw new Error('The gateway accepted the same id twice.')
    const { notCompared } = again
    return [
      'Same id, replayed: true. The gateway answered 409, and the client found the payout that is there. No second one was made.',
      ...(notCompared.length === 0
        ? []
        : [`What it found does not show ${notCompared.join(', ')}, so that was not compared.`]),
    ]
  })
}

/** @param {Demo} demo */
async function walkAccount({ gateway, choices, signal, heading, step }) {
  const { client } = gateway
  heading('The merchant account')
  await step('Read the balances', async () => {
    const currencies = [choices.currency, 'XTS']
    const { balances, notReturned } = await client.balances.list({ currencies }, { signal })
    return [
      `Asked for ${currencies.join(' and ')}. The gateway sent ${listed(balances)}.`,
      notReturned === undefined
        ? 'Its response does not show which currencies came back.'
        : `Not returned: ${notReturned.join(', ') || 'none'}. The gateway leaves out what it does not support.`,
    ]
  })
  await step('List the currencies', async () => [`${listed(await client.currencies.list({ signal }))}.`])
  await step('List the payment operators', async () => [
    `${listed(await client.paymentOperators.list({ signal }))}.`,
  ])
}

/** Made up where no money is; elsewhere only who was named. @param {Gateway} gateway @param {Choices} choices */
function customer({ isLocal }, { accountName, accountNumber }) {
  if (accountNumber !== undefined) return { accountNumber, ...(accountName && { accountName }) }
  return isLocal ? { accountName: 'Jana Example', accountNumber: '000123-0123456789' } : undefined
}

const cannotCall = 'The gateway can not call this machine, so the next step polls for the status instead.'

/**
 * @param {Gateway} gateway @param {'payin' | 'payout'} kind
 * @param {() => Promise<import('merchant-gateway').Payin>} wait
 */
async function statusLines({ isLocal }, kind, wait) {
  try {
    const payment = await wait()
    const { process } = payment
    const fee = 'fee' in payment ? feeText(payment.fee) : ''
    return [
      `The ${kind} is ${statusOf(payment) ?? 'final'}, created ${process?.createdAt ?? '(not shown)'}, processed ${process?.processedAt ?? '(not shown)'}${fee}.`,
    ]
  } catch (error) {
    if (isLocal || !isGatewayError(error) || error.code !== 'wait_timeout') throw error
    // On a real gateway somebody has to pay first.
    return [`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}`]
  }
}
