import { whyNoId } from '../../client/input/payment-id.js'
import { argumentDoor } from '../../client/input/reader.js'
import { InvalidInputError } from '../../index.js'

const door = argumentDoor(InvalidInputError, 'run', 'known of a run')

export const runDoor = { ...door, needsObject: () => door.refuse('run', 'must be an object with starts') }

/** @throws {InvalidInputError} for what can be no idPayout. */
export function checkIdPayout(id: unknown): string {
  const why = whyNoId(id)
  if (why !== undefined || typeof id !== 'string') throw door.refuse('idPayout', why ?? 'must be a string')
  return id
}
