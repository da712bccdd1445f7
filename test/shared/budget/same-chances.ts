import { vi } from 'vitest'

/** `Math.random` with the same numbers in every run, so that a test over chances passes always or never. */
export function sameChances(seed = 1): void {
  let state = seed
  vi.spyOn(Math, 'random').mockImplementation(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  })
}
