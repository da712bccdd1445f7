import type { Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin as VitePlugin } from 'vitest/config'
import type { Mutant } from './mutant.mjs'

export function mutated(mutant: Mutant): string
export function forEsbuild(mutant: Mutant): EsbuildPlugin
export function forVite(mutant: Mutant): VitePlugin
