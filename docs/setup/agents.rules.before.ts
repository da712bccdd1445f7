import { randomUUID } from 'node:crypto'
import type { PayinRef } from 'merchant-gateway/callbacks'
const order = { id: 'order-1', idPayin: 'order-1', customer: { accountName: 'Jana Example', accountNumber: '1' } }
const withdrawal = { id: 'w-1', idPayout: 'w-1', state: 'new' }
const payment = { paymentRequested: { money: money('25.00', 'EUR') }, paymentMethod: { paymentMethodCode: 'BANK_TRANSFER' } } as const
const request = { query: { status: 'SUCCESS' } }
declare const error: unknown
declare function store(row: object): Promise<void>
declare function giveBack(row: object): Promise<void>
declare function ship(id: string): Promise<void>
declare function openOrders(): AsyncIterable<PayinRef>
