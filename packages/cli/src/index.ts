/**
 * Files of payouts, and balances that are compared with payments: what the command does, as functions.
 *
 * @module merchant-gateway-cli
 */

export type { LineProblem } from './files/lines.js'
export {
  type CurrencyTotal,
  checkPayoutFile,
  type PayoutFile,
  type PayoutFileOptions,
  type PayoutRequest,
  type SendableLine,
} from './files/payout-file.js'
export { reconcileBalances } from './reconcile/reconcile-balances.js'
export type {
  BalanceCounts,
  BalanceMove,
  BalancesMoving,
  BalancesReconciled,
  CurrencyReconciliation,
  KnownPayment,
  Many,
  Opening,
  OpenPayment,
  OwnPayment,
  PaymentRef,
  ReconcileClient,
  ReconcileOptions,
  ReconcileProgress,
  Reconciliation,
  SignedMoney,
  StatusChange,
} from './reconcile/types.js'
