import { type Node, readPattern, type Takes } from './pattern-syntax.js'

/** How many more steps a match may take; shared by all matches of one request. */
export interface Steps {
  left: number
}

/** A pattern that is ready to be matched with whole paths. */
export interface PathPattern {
  /** How many steps it has, which is what it costs in memory. */
  readonly size: number
  /**
   * Whether the pattern is the whole path.
   * @throws OutOfSteps when that takes more than `steps` has left
   */
  matches(path: string, steps: Steps): boolean
}

/** A match was given up. */
export class OutOfSteps extends Error {}

type State =
  | { readonly kind: 'unit'; readonly takes: Takes; readonly next: number }
  | { readonly kind: 'start' | 'end'; readonly next: number }
  | { readonly kind: 'split'; readonly next: number[] }
  | { readonly kind: 'found' }

/**
 * Compiles the pattern of a token's operation. Whoever has a key chooses the patterns, and JavaScript's own engine
 * backtracks: a pattern of 38 characters can keep it busy for seconds. This one reads the path once and follows
 * all possible matches at the same time (Thompson, 1968), in at most (length of the path × size of the pattern)
 * steps.
 *
 * @throws PatternProblem when it is not in the subset that `readPattern` names, or too large
 */
export function compilePattern(text: string): PathPattern {
  const states: State[] = [{ kind: 'found' }]
  const first = put(states, readPattern(text), 0)
  return { size: states.length, matches: (path, steps) => run(states, first, path, steps) }
}

/** Adds a node in front of the state `next`, and says where it begins. */
function put(states: State[], node: Node, next: number): number {
  switch (node.kind) {
    case 'unit':
      return states.push({ kind: 'unit', takes: node.takes, next }) - 1
    case 'start':
    case 'end':
      return states.push({ kind: node.kind, next }) - 1
    case 'all':
      return node.parts.reduceRight((then, part) => put(states, part, then), next)
    case 'either':
      return split(
        states,
        node.parts.map((part) => put(states, part, next)),
      )
    case 'repeat':
      return repeat(states, node, next)
  }
}

function repeat(states: State[], { part, min, max }: Node & { kind: 'repeat' }, next: number): number {
  let then = next
  if (max === Number.POSITIVE_INFINITY) {
    const ways: number[] = []
    then = split(states, ways)
    ways.push(put(states, part, then), next)
  } else {
    for (let copy = min; copy < max; copy += 1) then = split(states, [put(states, part, then), next])
  }
  for (let copy = 0; copy < min; copy += 1) then = put(states, part, then)
  return then
}

function split(states: State[], next: number[]): number {
  return states.push({ kind: 'split', next }) - 1
}

function run(states: readonly State[], first: number, path: string, steps: Steps): boolean {
  // The place in the path at which each state was last looked at, so that none is looked at twice in one place.
  const reached = new Int32Array(states.length).fill(-1)
  let here = [first]
  for (let at = 0; at <= path.length; at += 1) {
    const following: number[] = []
    const code = path.charCodeAt(at)
    for (let index = here.pop(); index !== undefined; index = here.pop()) {
      if (reached[index] === at) continue
      reached[index] = at
      steps.left -= 1
      if (steps.left < 0) throw new OutOfSteps()
      const state = states[index]
      if (state === undefined) continue
      if (state.kind === 'found') {
        if (at === path.length) return true
      } else if (state.kind === 'split') here.push(...state.next)
      else if (state.kind === 'unit') {
        if (at < path.length && state.takes(code)) following.push(state.next)
      } else if (at === (state.kind === 'start' ? 0 : path.length)) here.push(state.next)
    }
    if (following.length === 0) return false
    here = following
  }
  return false
}
