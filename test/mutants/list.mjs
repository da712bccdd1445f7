// @ts-check
import { budgetMutants } from './budget.mjs'
import { clientMutants } from './client.mjs'
import { jobMutants, receiverMutants } from './receiver.mjs'

/** All of them, in the order of the table. */
export const mutants = [...clientMutants, ...receiverMutants, ...jobMutants, ...budgetMutants]

/** @param {string | undefined} name */
export function mutantOf(name) {
  const mutant = mutants.find((one) => one.name === name)
  if (mutant === undefined) throw new Error(`There is no mutant ${name}.`)
  return mutant
}
