import { vi } from 'vitest'
import { chances } from '../../support/chances.js'

/** `Math.random` with the same numbers in every run. */
export function sameChances(seed = 1): void {
  vi.spyOn(Math, 'random').mockImplementation(chances(seed))
}
