import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Entry, readResults } from '../../src/payouts/results.js'
import type { State } from '../../src/payouts/states.js'
import { temporaryFolders } from '../support.js'

const newFolder = temporaryFolders()
const at = '2026-11-27T10:00:00.000Z'
const run = (name: string): Entry => ({ event: 'run', run: name, pid: 1, host: 'h', at })
const started = (idPayout: string): Entry => ({
  event: 'started',
  idPayout,
  at,
  line: 2,
  amount: '10.50',
  currencyCode: 'EUR',
  method: 'f00',
  payee: 'J. …6789',
})
const outcome = (idPayout: string, state: 'unsent' | 'accepted' | 'paid' | 'refused'): Entry => ({
  event: 'outcome',
  idPayout,
  at,
  state,
})

/** The lines of a results file, and where three payouts stand after each. */
const lines: readonly (readonly [Entry, ...State[]])[] = [
  [{ event: 'begun', version: 3, salt: 's', at }, 'waiting', 'waiting', 'waiting'],
  [run('a'), 'waiting', 'waiting', 'waiting'],
  [started('w-1'), 'unknown', 'waiting', 'waiting'],
  [started('w-2'), 'unknown', 'unknown', 'waiting'],
  [outcome('w-1', 'accepted'), 'accepted', 'unknown', 'waiting'],
  [outcome('w-1', 'paid'), 'paid', 'unknown', 'waiting'],
  [started('w-3'), 'paid', 'unknown', 'unknown'],
  [outcome('w-3', 'unsent'), 'paid', 'unknown', 'waiting'],
  [outcome('w-2', 'refused'), 'paid', 'refused', 'waiting'],
  [{ event: 'left', run: 'a' }, 'paid', 'refused', 'waiting'],
]
const textOf = (entries: readonly Entry[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
const statesAfter = (count: number) => lines[count - 1]?.slice(1)
const ids = ['w-1', 'w-2', 'w-3']

test('a results file that was cut at any byte says what its whole lines say, and takes the lines of the next run', () => {
  const path = join(newFolder(), 'payouts.csv.results.ndjson')
  const bytes = Buffer.from(textOf(lines.map(([entry]) => entry)))
  for (let cut = 0; cut <= bytes.length; cut++) {
    const left = bytes.subarray(0, cut)
    const whole = left.toString().split('\n').length - 1
    writeFileSync(path, left)
    const results = readResults(path)
    expect(results && ids.map((id) => results.stateOf(id))).toEqual(statesAfter(whole))
    if (whole === 0) continue
    // A line of which only the line break is missing counts once the next run has given it one.
    const isLineBreakCut = bytes[cut] === 10
    const states = statesAfter(isLineBreakCut ? whole + 1 : whole) ?? []
    writeFileSync(path, `${left}\n${textOf([run('b'), started('w-3')])}`)
    const next = readResults(path)
    expect(ids.map((id) => next?.stateOf(id))).toEqual([...states.slice(0, 2), 'unknown'])
    expect([...(next?.runs.keys() ?? [])]).toContain('b')
  }
})
