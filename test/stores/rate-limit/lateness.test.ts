import { expect, test } from 'vitest'
import { Lateness } from '../../../src/stores/rate-limit/timing.js'

test('nothing is known at the start, so that slots are valid for long', () => {
  expect(new Lateness().validMs).toBe(40)
})

test('a process that is in time soon needs no more than 5 ms', () => {
  const lateness = new Lateness()
  for (let n = 0; n < 40; n++) lateness.used(0.5)
  expect(lateness.validMs).toBe(5)
})

test('one that is late now and then keeps room for it, and forgets it slowly', () => {
  const lateness = new Lateness()
  for (let n = 0; n < 40; n++) lateness.used(0.5)
  lateness.used(10)
  expect(lateness.validMs).toBe(23)
  for (let n = 0; n < 5; n++) lateness.used(0.5)
  expect(lateness.validMs).toBe(15)
})

test('a slot that came to nothing asks for more, and never for more than 40 ms', () => {
  const lateness = new Lateness()
  for (let n = 0; n < 40; n++) lateness.used(0.5)
  lateness.lost()
  expect(lateness.validMs).toBe(40)
  lateness.used(500)
  expect(lateness.validMs).toBe(40)
})
