import { expect, vi } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../packages/sandbox/src/index.js'
import { CallbackReceiver, type CallbackReceiverOptions } from '../../src/callbacks/index.js'
import {
  type CallbackLookUps,
  type CallbackReceiving,
  type ClientSettings,
  GatewayClient,
  isFinal,
  money,
  NotFoundError,
  type Payin,
  type PaymentKind,
  type PaymentLike,
  type Payout,
  statusOf,
} from '../../src/index.js'
import { privatePem } from '../support/vectors.js'

export const publicUrl = 'https://shop.example/gateway/callbacks'
export const secret = 'current-secret-of-32-bytes-or-more'
export const otherSecret = 'another-secret-of-32-bytes-or-more'

/** A payment that is a payin and a payout alike. */
export function withStatus(status: string): Payin & Payout {
  return {
    paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
    process: { status },
    paymentMethodResponse: { idPayin: 'order-1', idPayout: 'order-1' },
  }
}
export const succeeded = withStatus('SUCCESS')

/** One lookup that the receiver has asked a {@link FakeClient} for. */
export interface LookUp {
  readonly kind: PaymentKind
  readonly id: string
  readonly flow: 'callback' | 'poll'
  readonly signal: AbortSignal | undefined
  /** It has its permit, and goes out. */
  sent(): void
  answer(payment: Payin & Payout): void
  fail(error: unknown): void
}

/** A client whose lookups are answered by hand, or at once by what `answer` makes. */
export class FakeClient {
  readonly account = 'ACCOUNT'
  readonly lookups: LookUp[] = []
  /** What waits were told, as `kind:id status`. */
  readonly woken: string[] = []
  receiving: CallbackReceiving | undefined
  /** Whether lookups wait for a permit, until `sent`. */
  waits = false
  /** Answers lookups at once; throw to fail. */
  answer: ((kind: PaymentKind, id: string) => Payin & Payout) | undefined
  isFinal = isFinal
  statusOf: (payment: PaymentLike) => string | undefined = statusOf

  constructor(answer?: FakeClient['answer']) {
    this.answer = answer
  }

  attachCallbacks(receiving: CallbackReceiving) {
    this.receiving = receiving
    return {
      payin: this.#lookUpsOf('payin'),
      payout: this.#lookUpsOf('payout'),
      isFinal: (payment: PaymentLike) => this.isFinal(payment),
      statusOf: (payment: PaymentLike) => this.statusOf(payment),
    }
  }

  #lookUpsOf(kind: PaymentKind): CallbackLookUps<Payin & Payout> {
    return {
      lookUp: (id, flow, { signal } = {}, onSent = () => {}) => {
        if (!this.waits) onSent()
        let end = () => {}
        const asked = new Promise<Payin & Payout>((resolve, reject) => {
          this.lookups.push({ kind, id, flow, signal, sent: onSent, answer: resolve, fail: reject })
          end = () => reject(signal?.reason)
          signal?.addEventListener('abort', end)
          if (this.answer === undefined) return
          try {
            resolve(this.answer(kind, id))
          } catch (error) {
            reject(error)
          }
        })
        return asked.finally(() => signal?.removeEventListener('abort', end))
      },
      seen: (id, payment) => this.woken.push(`${kind}:${id} ${payment.process?.status}`),
      changed: (id) => this.woken.push(`${kind}:${id} changed`),
    }
  }
}

export const notFound = () => new NotFoundError('there is no such payment.', { status: 404 })

export interface Delivered {
  readonly id: string
  readonly status: string | undefined
  readonly isNew: boolean
}

/** A receiver's functions, and a list of what they were called with. */
function deliveries() {
  const delivered: Delivered[] = []
  const functions: Pick<CallbackReceiverOptions, 'onPayin' | 'onPayout'> = {
    onPayin: ({ process }, { idPayin: id, isNew }) => delivered.push({ id, status: process?.status, isNew }),
    onPayout: ({ process }, { idPayout: id, isNew }) =>
      delivered.push({ id, status: process?.status, isNew }),
  }
  return { delivered, functions }
}

/** A receiver over a fake client, with a list of what its function was called with. */
export function receiverOver(client: FakeClient, options: Partial<CallbackReceiverOptions> = {}) {
  const { delivered, functions } = deliveries()
  const failures: string[] = []
  const receiver = new CallbackReceiver({
    client,
    publicUrl,
    secrets: [secret],
    ...functions,
    onError: (error, { kind, id, during }) => {
      failures.push(`${kind} ${id} ${during}: ${error instanceof Error ? error.message : String(error)}`)
    },
    ...options,
  })
  /** A callback for this payin, as the gateway sends it. */
  const call = async (idPayin = 'order-1') => (await receiver.receive(receiver.urlFor({ idPayin }))).status
  return { receiver, delivered, failures, call }
}

/** The sandbox with a client and a receiver, in this process; callbacks go out only by hand. */
export function shop(
  options: {
    readonly sandbox?: SandboxOptions
    readonly client?: Partial<ClientSettings>
    readonly receiver?: Partial<CallbackReceiverOptions>
  } = {},
) {
  const sandbox = createSandbox({
    privateKey: privatePem,
    payAfterMs: false,
    rateLimit: false,
    callbackTries: 1,
    ...options.sandbox,
  })
  const client = new GatewayClient({
    ...sandbox.clientOptions(),
    retries: 0,
    ...options.client,
  })
  const { delivered, functions } = deliveries()
  const receiver = new CallbackReceiver({
    client,
    publicUrl,
    secrets: [secret],
    ...functions,
    onError: () => undefined,
    ...options.receiver,
  })
  const close = async () => {
    await client.close()
    await sandbox.close()
  }
  return { sandbox, client, receiver, delivered, close, [Symbol.asyncDispose]: close }
}

export type Shop = ReturnType<typeof shop>

/** Carries callbacks of a sandbox to a receiver in this process. */
export function straightTo(receiver: () => CallbackReceiver) {
  return async ({ url }: { readonly url: string }) => ({ status: (await receiver().receive(url)).status })
}

/** The smallest create request that the sandbox takes. */
export function payinRequest(idPayin: string) {
  return {
    idPayin,
    paymentRequested: { money: money('10.50', 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  }
}

/** Creates a payin and waits until the sandbox has made it PENDING and told of it. */
export async function createPayin({ client, sandbox }: Shop, idPayin: string, callbackUrl?: string) {
  await client.payins.create({
    ...payinRequest(idPayin),
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
  })
  await vi.waitFor(() => expect(sandbox.payins.get(idPayin).status).toBe('PENDING'))
  await sandbox.idle()
}

/** How often the sandbox was asked for a payment. */
export function lookUpsAt({ requests }: Sandbox): number {
  return requests.filter(({ method, route }) => method === 'GET' && route?.includes('{idPay')).length
}
