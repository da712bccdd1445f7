import { isRecord } from '../../../gateway/wire/json-body.js'
import type { PageParts } from '../parts/parts.js'
import { applicationOf } from './rehearse-application.js'
import { RehearsalRunner } from './rehearse-runner.js'

/** The endpoints of rehearsals; undefined for a path that is not theirs. */
export type RehearsalApi = (method: string, path: string, body: unknown) => unknown

export function createRehearsals(parts: PageParts): RehearsalApi {
  const runner = new RehearsalRunner(parts)
  const acts: Readonly<Record<string, (body: Record<string, unknown>) => void>> = {
    'GET rehearsals': () => {},
    'POST rehearsals': ({ name, route }) => runner.play(name, route),
    'DELETE rehearsals': () => runner.stop(),
    'POST rehearsals/application': (body) => runner.setApplication(applicationOf(body)),
  }
  return (method, path, given) => {
    const body = isRecord(given) ? given : {}
    if (`${method} ${path}` === 'POST rehearsals/export') return runner.exported(body.key)
    const act = acts[`${method} ${path}`]
    if (act === undefined) return undefined
    act(body)
    return runner.state
  }
}
