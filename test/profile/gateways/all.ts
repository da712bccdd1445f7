import { type HandAnswer, HandGateway, type HandPayment } from './hand-gateway.js'

/** By the specification, and what is likeliest where it is silent. */
class Plain extends HandGateway {}

/** The token is deep in the answer, and no JWT. */
class NestedToken extends HandGateway {
  override makeToken(): string {
    return `opaque-${crypto.randomUUID()}`
  }
  override tokenBody(token: string, validitySecs: number): HandAnswer {
    const requestId = crypto.randomUUID()
    return { status: 201, body: { meta: { requestId }, result: { bearer: token, expiresIn: validitySecs } } }
  }
}

/** The token is the whole answer, as a text. */
class TextToken extends HandGateway {
  override tokenBody(token: string): HandAnswer {
    return { status: 200, body: `${token}\n`, type: 'text/plain' }
  }
}

/** The token is the whole answer, as one string of JSON. */
class StringToken extends HandGateway {
  override tokenBody(token: string): HandAnswer {
    return { status: 200, body: JSON.stringify(token) }
  }
}

/** Timestamps are milliseconds. */
class Milliseconds extends HandGateway {
  override unit = 'milliseconds' as const
}

/** Payments are flat: the status stands at the top. */
class StatusOnTop extends HandGateway {
  override found({ id, kind, money, processedAt }: HandPayment, status: string): HandAnswer {
    const ids = kind === 'payin' ? { idPayin: id } : { idPayout: id }
    const method = { ...ids, paymentMethodCode: 'VAPAY' }
    const ended = processedAt === undefined ? {} : { finishedAt: processedAt }
    return {
      status: 200,
      body: { status, ...ended, paymentRequested: { money }, paymentMethodResponse: method },
    }
  }
}

export const gateways: Readonly<Record<string, () => HandGateway>> = {
  plain: () => new Plain(),
  'a token that is deep in the answer': () => new NestedToken(),
  'a token as a text': () => new TextToken(),
  'a token as one string of JSON': () => new StringToken(),
  milliseconds: () => new Milliseconds(),
  'the status at the top': () => new StatusOnTop(),
}
