import { describe, expect, it } from 'vitest'
import { completionsAt } from './declarations.js'

const client = "import { GatewayClient } from '../../dist/index.js'\ndeclare const client: GatewayClient\n"
const sandbox =
  "import { createSandbox } from '../../packages/sandbox/dist/index.js'\nconst sandbox = createSandbox()\n"

describe('an editor completes', { timeout: 120_000 }, () => {
  it('the status of a payout', () => {
    const code = `${client}const payout = await client.payouts.retrieve('a')\nif (payout.process.status === '|') {}`
    expect(completionsAt(code)).toContain('SUCCESS')
  })

  it('the status that a payin may have', () => {
    const code = `${client}const payin = await client.payins.retrieve('a')\nif (payin.process?.status === '|') {}`
    expect(completionsAt(code)).toContain('SUCCESS')
  })

  it('the method of a payin', () => {
    const code = `${client}await client.payins.create({ paymentMethod: { paymentMethodCode: '|' } })`
    expect(completionsAt(code)).toEqual(['VAPAY'])
  })

  it('the method of a payout', () => {
    const code = `${client}await client.payouts.create({ paymentMethod: { paymentMethodCode: '|' } })`
    expect(completionsAt(code)).toEqual(['BANK_TRANSFER'])
  })

  it('the method of a payment option', () => {
    const code = `${client}const { data } = await client.payins.paymentOptions({ amount: 1, currencyCode: 'EUR' })
data.find(({ paymentMethodCode }) => paymentMethodCode === '|')`
    expect(completionsAt(code)).toContain('VAPAY')
  })

  it('the action of a token', () => {
    const code = `${client}await client.authTokens.createByAction({ idPayment: 'a', action: '|' })`
    expect(completionsAt(code)).toEqual(['PAYIN_CREATE', 'PAYIN_INFO'])
  })

  it('the code and the outcome of an error', () => {
    const error = "import { isGatewayError } from '../../dist/index.js'\ndeclare const error: unknown\n"
    const code = `${error}if (isGatewayError(error) && error.code === '|') {}`
    expect(completionsAt(code)).toEqual(expect.arrayContaining(['rate_limit', 'idempotency_conflict']))
    const outcome = `${error}if (isGatewayError(error) && error.outcome === '|') {}`
    expect(completionsAt(outcome)).toEqual(expect.arrayContaining(['not-accepted', 'unknown', 'accepted']))
  })

  it('the statuses that the sandbox knows', () => {
    const code = `${sandbox}sandbox.payins.get('a').setStatus('|')`
    expect([...completionsAt(code)].sort()).toEqual(['CREATED', 'EXPIRED', 'FAILED', 'PENDING', 'SUCCESS'])
  })

  it('the route and the kind of a fault', () => {
    expect(completionsAt(`${sandbox}sandbox.fault({ route: '|' })`)).toContain('POST /payouts/{idPayout}')
    const code = `${sandbox}sandbox.fault({ route: '*', action: { kind: '|' } })`
    expect(completionsAt(code)).toEqual(expect.arrayContaining(['drop-after', 'delay', 'skew-clock']))
  })
})
