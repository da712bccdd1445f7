import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sandbox } from 'merchant-gateway-sandbox'
import { expect } from 'vitest'
import { binary } from '../support.js'

export const header =
  'idPayout,amount,currencyCode,paymentMethodCode,paymentOperatorCode,accountName,accountNumber'

/** A customer whom no output may name. */
export const accountName = 'Jana Canary'
export const accountOf = (number: number) => `000123-${String(number).padStart(10, '0')}`

export interface FilePayout {
  readonly idPayout: string
  readonly amount: string
  readonly account: string
}

/** So many payouts, no two of which are over the same money or go to the same account. */
export function payoutsOf(count: number, prefix = 'w'): FilePayout[] {
  return Array.from({ length: count }, (_, index) => ({
    idPayout: `${prefix}-${index + 1}`,
    amount: `${index + 1}.25`,
    account: accountOf(index + 1),
  }))
}

export function csvOf(payouts: readonly FilePayout[]): string {
  const lines = payouts.map(
    ({ idPayout, amount, account }) =>
      `${idPayout},${amount},EUR,BANK_TRANSFER,HARBOUR,${accountName},${account}`,
  )
  return `${[header, ...lines].join('\n')}\n`
}

export function fileOf(folder: string, content: string, name = 'payouts.csv'): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/**
 * The sandbox's own record has each payout once, with the money of its line, and no other; and whatever was sent
 * under an id named the account of its line.
 */
export function expectEachOnce(sandbox: Sandbox, payouts: readonly FilePayout[]): void {
  expect(sandbox.payouts.size).toBe(payouts.length)
  const sent = sandbox.requests.filter(({ route }) => route === 'POST /payouts/{idPayout}')
  for (const { idPayout, amount, account } of payouts) {
    expect(sandbox.payouts.get(idPayout).money).toEqual({ amount: Number(amount), currencyCode: 'EUR' })
    const accounts = sent
      .filter((request) => request.idPayout === idPayout)
      .map(({ bodyText }) => JSON.parse(bodyText).paymentMethod.account)
    expect(accounts.length).toBeGreaterThan(0)
    for (const one of accounts) expect(one).toEqual({ accountName, accountNumber: account })
  }
}

/** The lines of a report, by id. */
export function reportOf(path: string): Map<string, Record<string, unknown>> {
  const lines: Record<string, unknown>[] = JSON.parse(readFileSync(`${path}.report.json`, 'utf8'))
  return new Map(lines.flatMap((line) => (line.state === 'total' ? [] : [[String(line.idPayout), line]])))
}

/** All that a run leaves or prints, in which no customer may be found. */
export function expectNoCustomer(path: string, ...outputs: string[]): void {
  const left = ['results.ndjson', 'report.csv', 'report.json', 'lock']
    .map((end) => `${path}.${end}`)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
  for (const text of [...left, ...outputs]) expect(text).not.toMatch(/Jana|Canary|000123/)
}

/** A run that is killed, as a power cut does it, once the condition holds. */
export async function killedRun(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  until: () => boolean,
): Promise<string> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [binary, ...args], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const closed = new Promise((resolve) => child.once('close', resolve))
  const looking = setInterval(() => {
    if (until()) child.kill('SIGKILL')
  }, 2)
  await closed
  clearInterval(looking)
  return output
}
