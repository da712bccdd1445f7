import { fieldAt, isObject } from '../../common/json.js'
import { put } from '../wire/place.js'
import { FIELD_OF_EVERY_PAYMENT, UNKNOWN_STATUS } from './fault-kinds.js'
import type { ResponseFault } from './magic-amounts.js'

type ChangingFault = Exclude<ResponseFault, { kind: 'hide' }>

/** @throws when null is to stand for a string and there is none: the test would then prove nothing (`Error`). */
export function changedBody(fault: ChangingFault, json: unknown): unknown {
  switch (fault.kind) {
    case 'mutate': {
      const { change } = fault
      const copy = structuredClone(json)
      return typeof change === 'function' ? change(copy) : mergePatch(copy, change)
    }
    case 'null-for-string': {
      const { field = FIELD_OF_EVERY_PAYMENT } = fault
      if (!hasText(json, field)) throw new Error(`The response has no string at ${field}.`)
      return put(json, field, null)
    }
    case 'unknown-status': {
      const path = ['process.status', 'status'].find((place) => hasText(json, place))
      return path === undefined ? json : put(json, path, fault.status ?? UNKNOWN_STATUS)
    }
    case 'extra-fields':
      return withExtraFields(json)
  }
}

/** The same for every response about a payment: one that has no string where null is to stand stays as it is. */
export function changedWhereShown(fault: ChangingFault, json: unknown): unknown {
  const isLeft = fault.kind === 'null-for-string' && !hasText(json, fault.field ?? FIELD_OF_EVERY_PAYMENT)
  return isLeft ? json : changedBody(fault, json)
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}

/** Section 9: new properties may come at any time. Adds some to every object, of every type and in front. */
function withExtraFields(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withExtraFields)
  if (!isObject(json)) return json
  const entries = Object.entries(json).map(([name, value]) => [name, withExtraFields(value)])
  return {
    addedLater: { list: [1, 'two', null], flag: true },
    addedToo: null,
    ...Object.fromEntries(entries),
  }
}

function hasText(json: unknown, path: string): boolean {
  return typeof fieldAt(json, path) === 'string'
}
