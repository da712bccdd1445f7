import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Certificates } from './certificates.js'
import { everyByte, type Report } from './every-byte.js'
import { leaks } from './leaks.js'
import { nameOf, type Way } from './setup.js'

const ways: readonly Way[] = [
  { transport: 'undici', tls: false },
  { transport: 'undici', tls: true },
  { transport: 'fetch', tls: false },
  { transport: 'fetch', tls: true },
]

/** The campaign, with the options of its command. Resolves to how much of it was broken. */
export async function campaign(args: readonly string[], certificatesFile: string): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: 'bytes,leaks' },
      over: { type: 'string', default: '' },
      step: { type: 'string', default: '1' },
      calls: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
    },
  })
  const number = (name: 'step' | 'calls' | 'seed') => {
    const value = Number(values[name])
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number above 0.`)
    return value
  }
  const certificates: Certificates = JSON.parse(readFileSync(certificatesFile, 'utf8'))
  const parts: Record<string, (way: Way) => Promise<Report>> = {
    bytes: (way) => everyByte(way, certificates, number('step')),
    leaks: (way) => leaks(way, certificates, Math.ceil(number('calls') / ways.length), number('seed')),
  }
  let violations = 0
  process.on('unhandledRejection', (error) => {
    violations++
    console.error('a rejection that nobody handled:', error)
  })
  const chosen = values.only.split(',')
  for (const name of chosen) {
    const play = parts[name]
    if (play === undefined) throw new Error(`--only takes ${Object.keys(parts).join(', ')}.`)
    for (const way of ways.filter((one) => nameOf(one).startsWith(values.over))) {
      const beganAt = performance.now()
      const report = await play(way)
      violations += report.violations.length
      const seconds = ((performance.now() - beganAt) / 1000).toFixed(1)
      console.log(
        `${name} over ${nameOf(way)}: ${report.figures}, ${report.violations.length} violation(s), ${seconds} s`,
      )
      for (const violation of report.violations.slice(0, 20)) console.error(`  ${violation}`)
    }
  }
  return violations
}
