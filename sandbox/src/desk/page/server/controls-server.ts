import type {
  ClockOrder,
  Created,
  CreateOrder,
  FaultOrder,
  LimiterOrder,
  ResendOrder,
  Resent,
  SandboxState,
} from '../../control/messages/controls.js'
import { ask } from './server.js'

export const readState = () => ask<SandboxState>('state')
export const armFault = (order: FaultOrder) => ask<SandboxState>('faults', 'POST', order)
export const disarmFault = (key: string) => ask<SandboxState>(`faults/${key}`, 'DELETE')
export const disarmAll = () => ask<SandboxState>('faults', 'DELETE')
export const moveClock = (order: ClockOrder) => ask<SandboxState>('clock', 'POST', order)
export const changeLimiter = (order: LimiterOrder) => ask<SandboxState>('limiter', 'POST', order)
export const setBalance = (amount: number, currencyCode: string) =>
  ask<SandboxState>('balances', 'POST', { amount, currencyCode })
export const revokeTokens = () => ask<SandboxState>('tokens', 'DELETE')
export const resetSandbox = () => ask<SandboxState>('reset', 'POST', {})
export const createPayment = (order: CreateOrder) => ask<Created>('create', 'POST', order)
export const resendRequest = (number: number, order: ResendOrder) =>
  ask<Resent>(`requests/${number}/resend`, 'POST', order)
