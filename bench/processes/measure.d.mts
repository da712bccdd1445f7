export interface Scenario {
  readonly name: string
  readonly isCold?: boolean
  readonly role?: (index: number) => { blockedMs?: number; wallOffMs?: number }
}

export interface Measured {
  readonly mostInOneSecond: number
  readonly tooMany: number
  readonly perSecond: number
  readonly leastShare: number
  readonly callsPerPermit: number
  readonly webWaitP99: number | undefined
  readonly webWaits: number
  readonly storeAway: number
  readonly failures: readonly string[]
}

export function measure(
  scenario: Scenario,
  how: { store: 'redis' | 'node-redis' | 'postgres'; seconds: number; processes?: number },
): Promise<Measured>
