import { isLoopback } from '../../../../src/client/input/addresses.js'
import { checksNoCertificates, credentialOf, timestampUnitOf } from '../doctor/settings.js'
import { CommandFailed } from '../exit-codes.js'
import type { Environment } from '../io.js'
import type { Pace } from './asker.js'
import type { LearnOptions } from './learn.js'
import { type PaymentRequests, requestOf } from './payment-requests.js'
import { tokenRequest } from './token-request.js'

/** What is written when nobody says where. */
export const usualFile = 'gateway-profile.json'

/** What stands on the line of arguments. */
export interface LearnCommandOptions {
  readonly out?: string
  readonly check?: string
  readonly yes?: true
  readonly force?: true
  readonly money?: PaymentRequests['money']
  readonly payin?: string
  readonly payout?: string
  readonly wait: number
  readonly callbackUrl?: URL
  readonly callbackPort?: number
  readonly customerAccountPath?: string
  readonly assumeTest?: true
  readonly json?: true
}

/** @throws for settings that are wrong, before anything is sent. */
export async function settingsOf(
  options: LearnCommandOptions,
  env: Environment,
  pace: Pace,
): Promise<LearnOptions> {
  const { money = { amount: 10, currencyCode: 'EUR' }, callbackUrl, callbackPort: port = 0 } = options
  const { payin, payout, wait, customerAccountPath, assumeTest } = options
  const unit = timestampUnitOf(env)
  await tokenRequest(env, { unit, aheadMs: 0, validitySecs: 900 }, { operations: ['GET /merchant-info'] })
  if (checksNoCertificates(env)) {
    throw new CommandFailed('NODE_TLS_REJECT_UNAUTHORIZED=0: anybody on the way could read tokens; unset it.')
  }
  const baseUrl = new URL(env.GATEWAY_BASE_URL ?? '')
  const isReached = callbackUrl !== undefined || isLoopback(baseUrl.hostname)
  return {
    env,
    baseUrl,
    unit,
    kind: credentialOf(env),
    requests: {
      money,
      payin: payin === undefined ? undefined : requestOf(payin, '--payin'),
      payout: payout === undefined ? undefined : requestOf(payout, '--payout'),
    },
    callbacks: isReached ? { url: callbackUrl?.href, port } : undefined,
    customerAccountPath,
    assumesTest: assumeTest,
    waitMs: wait * 1000,
    pace,
  }
}

/** What is going to be asked, before anything is. */
export function planOf(
  { baseUrl, requests, callbacks, waitMs, pace, assumesTest = false }: LearnOptions,
  writes: string,
): readonly string[] {
  const { money, payin, payout } = requests
  const text = `${money.amount} ${money.currencyCode}`
  const own = (file: unknown, kind: string) => (file === undefined ? `of ${text}` : `as --${kind} says`)
  const perSecond = Math.round(1000 / Math.max(1, pace.gapMs))
  return [
    `This asks the gateway at ${baseUrl.host} what it does, with the credentials of the environment:`,
    `- about 60 requests, and a look-up every second while it waits: at most ${perSecond} a second`,
    '- once eleven requests at once, to see how they are counted: one more than may come,',
    '  which is refused and not processed',
    '- tokens, and what has to be refused: a wrong signature, wrong tokens, three payins with a mistake',
    `- ONE PAYIN ${own(payin, 'payin')} and ONE PAYOUT ${own(payout, 'payout')}: they are created, and looked up`,
    `  for up to ${Math.round(waitMs / 1000)} s; ${
      assumesTest
        ? 'the payout follows unless the payin says that it is no test (--assume-test)'
        : 'no payout follows unless the payin says that it is a test (isTest: true)'
    }`,
    '- up to three payouts that must be refused, since their token is of another id, amount or currency:',
    '  a gateway that does not keep to it makes two of them at most',
    callbacks === undefined
      ? '- no callbacks, since no --callback-url was given that the gateway can reach'
      : '- their callbacks, which are answered 500 in the end, to see how often they come again',
    `- ${writes}`,
    'The money moves, so it must be a TEST gateway.',
  ]
}
