import { isRecord } from '../wire/json-body.js'
import { FIELD_OF_EVERY_PAYMENT, UNKNOWN_STATUS } from './fault-kinds.js'
import type { AnswerFault } from './magic-amounts.js'
import { mergePatch } from './merge-patch.js'

/** The faults that change the JSON of an answer. */
export type ChangingFault = Exclude<AnswerFault, { kind: 'hide' }>

/**
 * The JSON of an answer as a fault shows it, which the specification does not.
 *
 * @throws Error when null is to stand for a string and there is none, because the test would then prove nothing
 */
export function changedBody(fault: ChangingFault, json: unknown): unknown {
  switch (fault.kind) {
    case 'mutate': {
      const { change } = fault
      const copy = structuredClone(json)
      return typeof change === 'function' ? change(copy) : mergePatch(copy, change)
    }
    case 'null-for-string': {
      const { field = FIELD_OF_EVERY_PAYMENT } = fault
      return replace(json, field.split('.'), field, null)
    }
    case 'unknown-status': {
      const path = [['process', 'status'], ['status']].find((place) => hasText(json, place))
      return path === undefined ? json : replace(json, path, path.join('.'), fault.status ?? UNKNOWN_STATUS)
    }
    case 'extra-fields':
      return withExtraFields(json)
  }
}

/** The same for every answer about a payment: one that has no string where null is to stand stays as it is. */
export function changedWhereShown(fault: ChangingFault, json: unknown): unknown {
  const isLeft =
    fault.kind === 'null-for-string' && !hasText(json, (fault.field ?? FIELD_OF_EVERY_PAYMENT).split('.'))
  return isLeft ? json : changedBody(fault, json)
}

/** Section 9: new properties may come at any time. Adds some to every object, of every type and in front. */
function withExtraFields(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withExtraFields)
  if (!isRecord(json)) return json
  const entries = Object.entries(json).map(([name, value]) => [name, withExtraFields(value)])
  return {
    addedLater: { list: [1, 'two', null], flag: true },
    addedToo: null,
    ...Object.fromEntries(entries),
  }
}

function hasText(json: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return typeof json === 'string'
  return isRecord(json) && Object.hasOwn(json, name) && hasText(json[name], rest)
}

function replace(json: unknown, path: readonly string[], field: string, value: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) {
    if (typeof json === 'string') return value
  } else if (isRecord(json) && Object.hasOwn(json, name)) {
    return { ...json, [name]: replace(json[name], rest, field, value) }
  }
  throw new Error(`The answer has no string at ${field}.`)
}
