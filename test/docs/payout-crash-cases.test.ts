import { describe, expect, test, vi } from 'vitest'
import { createSandbox, expectExactlyOnce } from '../../packages/sandbox/src/index.js'
import { tableAfter } from '../readme/markdown.js'
import { drawable, drawingsOf, drawnRequests } from './drawings.js'
import { allGuides, guideOf } from './guides.js'
import { asked, create, createRoute, dieAndResume, failAndRepeat, held, type Story } from './stories.js'

vi.setConfig({ testTimeout: 60_000 })

const page = guideOf('exactly-once.md').text
const drawings = drawingsOf(page)
const rows = tableAfter(page, '| case | the gateway has |')
const threeDaysMs = 3 * 24 * 3600 * 1000

const cases: Readonly<Record<string, () => Promise<Story>>> = {
  'The process dies before the id is stored': () =>
    dieAndResume('before the id is stored', { addsAgain: true }),

  'The process dies before the call': () => dieAndResume('before the call'),

  'The request gets lost on its way': () => failAndRepeat('drop-before'),

  'The response gets lost': () => failAndRepeat('drop-after'),

  'The process dies while it waits for the response': () => dieAndResume('before the answer'),

  'The process dies before it stores the response': () => dieAndResume('before it stores the answer'),

  'A job queue runs the job twice at once': async () => {
    await using sandbox = createSandbox({ rateLimit: false })
    const both = await Promise.all([create(sandbox), create(sandbox)])
    const story = { gateway: held(sandbox), knows: both.sort().join(' and '), requests: asked(sandbox) }
    const next = await create(sandbox)
    expectExactlyOnce(sandbox, 'w-1')
    return { ...story, next }
  },

  'The same id with another amount': async () => {
    await using sandbox = createSandbox({ rateLimit: false })
    await create(sandbox)
    const knows = await create(sandbox, { amount: '26.00' })
    const story = { gateway: held(sandbox), knows, requests: asked(sandbox) }
    const next = await create(sandbox, { amount: '26.00' })
    expect(sandbox.payouts.size).toBe(1)
    expect(sandbox.payouts.get('w-1').money).toEqual({ amount: 25, currencyCode: 'EUR' })
    return { ...story, next }
  },

  'A retry after days': async () => {
    await using sandbox = createSandbox({ clock: 'virtual', rateLimit: false })
    sandbox.fault({ route: createRoute, action: { kind: 'timeout', processed: true } })
    const knows = await create(sandbox, { timeoutMs: 300 })
    const gateway = held(sandbox)
    await sandbox.clock.advance(threeDaysMs)
    const next = await create(sandbox)
    expect(sandbox.payouts.get('w-1').status).toBe('SUCCESS')
    expectExactlyOnce(sandbox, 'w-1')
    return { gateway, knows, next, requests: asked(sandbox) }
  },
}

describe.concurrent('docs/exactly-once.md', () => {
  test.each(Object.entries(cases))('%s', async (name, play) => {
    const [, gateway, knows = '', next = ''] =
      rows.find(([cell]) => cell.replace(/^\[/, '').startsWith(name)) ?? []
    const drawing = drawings.find(({ heading }) => heading === name)
    const requests = drawing === undefined ? expect.any(Array) : drawnRequests(drawing)
    expect(await play()).toEqual({ gateway, knows: plain(knows), next: plain(next), requests })
  })

  test('has a row for every case that is played, which leads to its drawing where there is one', () => {
    const headings = drawings.map(({ heading }) => heading)
    expect(headings.length).toBeGreaterThan(3)
    const named = Object.keys(cases).map((name) =>
      headings.includes(name) ? `[${name}](#${name.toLowerCase().replaceAll(' ', '-')})` : name,
    )
    expect(rows.map(([cell]) => cell)).toEqual(named)
  })
})

test.each(allGuides)('$file draws in forms that every renderer knows', ({ text }) => {
  for (const { heading, lines } of drawingsOf(text)) {
    for (const line of lines)
      expect(
        drawable.some((form) => form.test(line)),
        `${heading}: ${line}`,
      ).toBe(true)
  }
})

function plain(cell: string): string {
  return cell.replaceAll('`', '')
}
