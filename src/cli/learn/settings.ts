import { isLoopback } from '../../client/input/addresses.js'
import { checksNoCertificates, credentialOf, timestampUnitOf } from '../doctor/settings.js'
import { CommandFailed } from '../exit-codes.js'
import type { Io } from '../io.js'
import type { Pace } from './asker.js'
import type { LearnOptions } from './learn.js'
import { type PaymentRequests, requestOf } from './payment-requests.js'
import { tokenRequest } from './token-request.js'

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
  { env }: Io,
  pace: Pace,
): Promise<LearnOptions> {
  const { money = { amount: 10, currencyCode: 'EUR' }, callbackPort = 0 } = options
  const { payin, payout, wait, callbackUrl, customerAccountPath, assumeTest = false } = options
  const unit = timestampUnitOf(env)
  await tokenRequest(env, { unit, aheadMs: 0, validitySecs: 900 }, { operations: ['GET /merchant-info'] })
  if (checksNoCertificates(env)) {
    throw new CommandFailed('NODE_TLS_REJECT_UNAUTHORIZED=0: anybody on the way could read tokens; unset it.')
  }
  const baseUrl = new URL(env.GATEWAY_BASE_URL ?? '')
  return {
    env,
    baseUrl,
    unit,
    kind: credentialOf(env),
    requests: {
      money,
      ...(payin === undefined ? {} : { payin: requestOf(payin, '--payin') }),
      ...(payout === undefined ? {} : { payout: requestOf(payout, '--payout') }),
    },
    ...(callbackUrl === undefined && !isLoopback(baseUrl.hostname)
      ? {}
      : {
          callbacks: { port: callbackPort, ...(callbackUrl === undefined ? {} : { url: callbackUrl.href }) },
        }),
    ...(customerAccountPath === undefined ? {} : { customerAccountPath }),
    assumesTest: assumeTest,
    waitMs: wait * 1000,
    pace,
  }
}
