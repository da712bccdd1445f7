export interface CrashRun {
  readonly engine: 'redis' | 'postgres'
  readonly count: number
  readonly workers: number
  readonly kills: number
  readonly betweenKillsMs: number
  readonly perWorker: number
  readonly withinMs: number
  readonly options?: object
}
export function crashProof(run: CrashRun): Promise<{
  readonly accepted: number
  readonly inReport: number
  readonly kills: number
  readonly wrong: readonly string[]
}>
