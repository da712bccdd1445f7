import type { Violation } from './judge/rules.js'
import type { Plan } from './plan.js'
import type { Played } from './play.js'
import { shrink } from './shrink.js'

/** A plan that broke a rule once, kept so that it never does again. */
export interface Story {
  /** What it broke. */
  readonly rule: Violation['rule']
  readonly says: string
  readonly plan: Plan
  /** What happened, for whoever reads it; playing it again writes it anew. */
  readonly happened: readonly string[]
}

/** So many lines of what happened are kept: the last ones, where the rule broke. */
const mostLines = 120

/** The shortest story of a plan that breaks a rule. */
export async function storyOf(
  plan: Plan,
  violation: Violation,
  play: (plan: Plan, keepsTrace?: boolean) => Promise<Played>,
): Promise<Story> {
  const shortest = await shrink(plan, violation, play)
  const { violations, lines } = await play(shortest, true)
  const { rule, says } = violations[0] ?? violation
  return { rule, says, plan: shortest, happened: lines.slice(-mostLines) }
}

/** What a story is about, in a few lines. */
export function tell({ rule, says, plan: { seed, settings, orders, faults }, happened }: Story): string {
  const wanted = orders.map(
    ({ number, kind, amount, atMs, host }) =>
      `  ${seconds(atMs)} host-${host}: ${kind} ${number} over ${amount} EUR`,
  )
  const wrong = faults.map(({ kind, atMs, forMs, share, host }) => {
    const where = host === undefined ? '' : ` at host-${host}`
    return `  ${seconds(atMs)} for ${seconds(forMs)}${where}: ${kind}, ${share * 100} % of what it may hit`
  })
  return [
    `Seed ${seed} broke the rule "${rule}": ${says}`,
    `${settings.hosts} host(s), rate limit ${settings.rateLimit}, a gateway with a ${settings.limiter}.`,
    'Wanted:',
    ...wanted,
    'Gone wrong:',
    ...wrong,
    'Happened (milliseconds, who, what):',
    ...happened.map((line) => `  ${line}`),
    '',
  ].join('\n')
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`
}
