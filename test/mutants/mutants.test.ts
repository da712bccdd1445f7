import { expect, test } from 'vitest'
import { mutants } from './list.mjs'
import { mutated } from './plugin.mjs'

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
  'the mistake %s still fits the file that it is made in',
  (_name, mutant) => {
    expect(() => mutated(mutant)).not.toThrow()
  },
)

test('a mistake that fits nowhere is no mistake that was found', () => {
  const misfit = {
    name: 'misfit',
    says: '',
    file: 'src/client/client.ts',
    edits: [['not there', '']],
  } as const
  expect(() => mutated(misfit)).toThrow('there is not exactly one "not there"')
})
