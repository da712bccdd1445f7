import { describe, expect, test } from 'vitest'
import { listenToDrift } from '../faults/quiet.js'
import { Random } from '../simulation/world/random.js'
import { check } from './check.js'
import { corpusOf } from './corpus.js'
import { minimise, mutate } from './mutate.js'
import { readers } from './readers.js'

listenToDrift()

describe.each(readers)('what $name reads from outside', (reader) => {
  const corpus = corpusOf(reader.name)

  test('ends, fails with errors of ours alone, and shows no customer', async () => {
    expect(corpus.length).toBeGreaterThan(0)
    for (const { name, bytes } of corpus) expect(await check(reader, bytes), name).toBeUndefined()
  })

  test('may be changed as it likes', async () => {
    const random = new Random(reader.name)
    const all = corpus.map(({ bytes }) => bytes)
    for (let time = 0; time < 200; time++) {
      const bytes = mutate(random, all[time % all.length] ?? Buffer.alloc(0), all)
      expect(await check(reader, bytes), bytes.toString('base64')).toBeUndefined()
    }
  })
})

test('what the fuzzer finds is shortened for as long as the same is wrong', async () => {
  const isWrong = async (bytes: Buffer) => bytes.includes('ab') && bytes.includes('z')
  expect((await minimise(Buffer.from('xxxabyyyyyyz12345'), isWrong)).toString()).toBe('abz')
})

test.each([
  ['an error that is not ours', () => JSON.parse('{')],
  ['a text that nobody may see', () => ['for ACC77CANARY0041']],
])('the fuzzer knows %s when it sees it', async (says, read) => {
  expect(await check({ name: 'x', read }, Buffer.alloc(0))).toContain(says)
})
