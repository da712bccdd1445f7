import type { Scenario } from './measure.mjs'

export const scenarios: readonly Scenario[]
