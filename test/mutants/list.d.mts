import type { Mutant } from './mutant.mjs'

export const mutants: readonly Mutant[]
export function mutantOf(name: string | undefined): Mutant
