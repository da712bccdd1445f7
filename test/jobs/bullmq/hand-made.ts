import { createSandbox, type SandboxOptions } from '../../../packages/sandbox/src/index.js'
import { type ClientSettings, GatewayClient, type PaymentKind } from '../../../src/index.js'
import {
  jobOptions,
  type PaymentData,
  type PaymentProcessor,
  type PaymentResult,
  paymentData,
  type StartedJob,
} from '../../../src/jobs/bullmq/index.js'
import type { PaymentToSend } from '../../../src/jobs/index.js'
import { turns } from '../../support/turns.js'

/** A payout of a test: ids and amounts by number, so that each can be told from the others. */
export function payout(number: number, idPayout = `payout-${number}`): PaymentToSend<'payout'> {
  return {
    idPayout,
    paymentRequested: { money: { amount: 1000 + number, currencyCode: 'EUR' } },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      paymentOperatorCode: 'HARBOUR',
      account: { accountName: `Canary Name ${number}`, accountNumber: `CANARY${1_000_000 + number}` },
    },
  }
}

export const payin = (idPayin: string): PaymentToSend<'payin'> => ({
  idPayin,
  paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
})

export function gatewayAndClient(gateway: SandboxOptions = {}, settings: Partial<ClientSettings> = {}) {
  const sandbox = createSandbox({ rateLimit: false, payAfterMs: false, ...gateway })
  const client = new GatewayClient({
    ...sandbox.clientOptions(),
    rateLimit: false,
    retries: 0,
    ...settings,
  })
  return {
    sandbox,
    client,
    async [Symbol.asyncDispose]() {
      await client.close()
      await sandbox.close()
    },
  }
}

/** A job as BullMQ hands it to a processor, without BullMQ. */
export class HandMadeJob<K extends PaymentKind> implements StartedJob<K> {
  id: string | undefined
  data: PaymentData<K>
  opts: StartedJob<K>['opts']
  priority: number
  attemptsStarted = 0
  /** Milliseconds from the last delay to its end. */
  delayMs: number | undefined
  /** The worker is killed before this is stored. */
  dies: 'updateData' | 'changePriority' | 'moveToDelayed' | undefined

  constructor(data: PaymentData<K>, options = jobOptions({ idPayout: data.id })) {
    this.id = options.jobId
    this.data = data
    this.opts = options
    this.priority = options.priority
  }

  async updateData(data: PaymentData<K>) {
    this.#live('updateData')
    this.data = JSON.parse(JSON.stringify(data))
  }

  async changePriority({ priority }: { priority: number }) {
    this.#live('changePriority')
    this.priority = priority
  }

  async moveToDelayed(timestamp: number) {
    this.#live('moveToDelayed')
    this.delayMs = timestamp - Date.now()
  }

  #live(moment: NonNullable<HandMadeJob<K>['dies']>) {
    if (this.dies === moment) throw new Error(`killed before ${moment}`)
  }

  /** Starts it once more. @returns the result, `'again'`, or why it has failed. */
  async start(process: PaymentProcessor<K>, signal?: AbortSignal): Promise<PaymentResult | 'again' | Error> {
    this.attemptsStarted += 1
    this.delayMs = undefined
    try {
      return await process(this, 'token', signal)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return error.name === 'DelayedError' && this.delayMs !== undefined ? 'again' : error
    }
  }

  /** Starts it until it ends. */
  async run(process: PaymentProcessor<K>): Promise<PaymentResult | Error> {
    for (let runs = 0; runs < 1_000; runs++) {
      const end = await this.start(process)
      if (end !== 'again') return end
      await turns()
    }
    throw new Error('it comes to no end')
  }
}

/** A job of a payout. */
export const jobOf = (client: Parameters<typeof paymentData>[0], number = 1) =>
  new HandMadeJob(paymentData(client, payout(number)))
