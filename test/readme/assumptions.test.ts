import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCallbackOptions } from '../../src/callbacks/read-options.js'
import { readOptions } from '../../src/client/settings/read-options.js'
import { root } from '../support/root.js'
import { tableAfter } from './markdown.js'

const pages = ['assumptions.md', 'assumptions-refunds.md', 'assumptions-requests.md']
const rows = pages
  .map((page) =>
    readFileSync(join(root, 'docs', page), 'utf8')
      .split('\n## ')
      .slice(1),
  )
  .flatMap((parts) => parts.flatMap((part) => tableAfter(part, '| Section |')))

/** Not options of the client, but of single calls, of balances or of a signer, or parts of one. */
const ofCalls = [
  'payins.refund',
  'paidMoneyOf',
  'isFailed',
  'maxWaitMs',
  'validitySecs',
  'request({ query })',
  'request({ response })',
  'counted',
  'balanceCounts',
  'balancesOf',
  'reconcileBalances',
  'balances',
  'field',
  'processedAtField',
  'paid',
  'final',
  'timestampToleranceSecs',
]

test.each(rows)('section %s: %s', (section, gap, library, option = '') => {
  for (const cell of [section, gap, library, option]) expect(cell).not.toBe('')
  if (option.startsWith('none')) expect(option).toMatch(/^none, because /)
  else {
    const names = quoted(option).filter((name) => !ofCalls.includes(name))
    expect(quoted(option)).not.toEqual([])
    const options = option.endsWith('of the receiver') ? receiverOptions() : clientOptions()
    expect(options).toEqual(expect.arrayContaining(names))
  }
})

test('there is a row for every part of the specification that leaves something open', () => {
  const sections = new Set(rows.flatMap(([section]) => section.split(', ')))
  expect([...sections].sort()).toEqual(['2', '3', '4', '5', '6', '7', '8', '9'])
})

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

function clientOptions(): string[] {
  const options = { baseUrl: 'https://gateway.example', merchantCode: 'M', privateKey: 'unread' }
  return namedBy(() => readOptions(Object.assign(options, { nonsense: 1 })))
}

function receiverOptions(): string[] {
  const client = { account: 'ACCOUNT', attachCallbacks: () => expect.fail('nothing is attached') }
  const options = { client, publicUrl: 'https://shop.example' }
  return namedBy(() => readCallbackOptions(Object.assign(options, { nonsense: 1 })))
}

/** As they are named to somebody who gives one that isn't known. */
function namedBy(read: () => unknown): string[] {
  try {
    read()
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    return /the options are (.*)\.$/.exec(message)?.[1]?.split(', ') ?? []
  }
  return []
}
