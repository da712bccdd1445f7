import type {
  ClockOrder,
  Created,
  CreateOrder,
  Desk,
  FaultOrder,
  LimiterOrder,
  ResendOrder,
  Resent,
} from '../control/desk-messages.js'
import { ask } from './server.js'

export const readDesk = () => ask<Desk>('desk')
export const armFault = (order: FaultOrder) => ask<Desk>('faults', 'POST', order)
export const disarmFault = (key: string) => ask<Desk>(`faults/${key}`, 'DELETE')
export const disarmAll = () => ask<Desk>('faults', 'DELETE')
export const moveClock = (order: ClockOrder) => ask<Desk>('clock', 'POST', order)
export const changeLimiter = (order: LimiterOrder) => ask<Desk>('limiter', 'POST', order)
export const setBalance = (amount: number, currencyCode: string) =>
  ask<Desk>('balances', 'POST', { amount, currencyCode })
export const revokeTokens = () => ask<Desk>('tokens', 'DELETE')
export const resetSandbox = () => ask<Desk>('reset', 'POST', {})
export const createPayment = (order: CreateOrder) => ask<Created>('create', 'POST', order)
export const openShop = (callbackUrl: string | undefined) => ask<Desk>('shop', 'POST', { callbackUrl })
export const closeShop = () => ask<Desk>('shop', 'DELETE')
export const resendRequest = (number: number, order: ResendOrder) =>
  ask<Resent>(`requests/${number}/resend`, 'POST', order)
