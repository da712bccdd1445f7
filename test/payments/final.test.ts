import { describe, expect, it } from 'vitest'
import { isFinal, statusOf } from '../../src/payments/final.js'
import { pollGapMs } from '../../src/payments/poll-gap.js'

describe('a payment is final when it has succeeded or has been processed', () => {
  it.each([
    [true, { process: { status: 'SUCCESS' } }],
    [true, { process: { status: 'REJECTED', processedAt: '2026-11-21T07:00:00.000Z' } }],
    [true, { process: { processedAt: '2026-11-21T07:00:00.000Z' } }],
    [false, { process: { status: 'PENDING' } }],
    [false, { process: { status: 'SOMETHING_NEW' } }],
    [false, { process: { status: 'success' } }],
    [false, { process: { status: 'PENDING', processedAt: '' } }],
    [false, { process: {} }],
    [false, {}],
    [false, JSON.parse('{"process":null}')],
    [false, JSON.parse('{"process":{"status":"PENDING","processedAt":null}}')],
  ])('%s: %j', (expected, payment) => {
    expect(isFinal(payment)).toBe(expected)
  })

  it.each([
    ['PENDING', { process: { status: 'PENDING' } }],
    [undefined, {}],
    [undefined, JSON.parse('{"process":null}')],
  ])('its status is %s where it shows %j', (status, payment) => {
    expect(statusOf(payment)).toBe(status)
  })
})

describe('the gap between two looks', () => {
  it.each([
    [1, 1_000],
    [2, 1_500],
    [3, 2_250],
    [6, 7_593.75],
    [8, 15_000],
    [1_000, 15_000],
  ])('after look %i is about %s ms', (looks, ms) => {
    expect(pollGapMs(looks, 0.5)).toBeCloseTo(ms, 6)
    expect(pollGapMs(looks, 0)).toBeCloseTo(ms * 0.8, 6)
    expect(pollGapMs(looks, 1)).toBeCloseTo(ms * 1.2, 6)
  })
})
