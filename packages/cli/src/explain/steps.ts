import type { LogLine } from './read-log.js'

/** One thing that happened. */
export interface Step {
  /** ISO 8601. */
  readonly time: string
  /** The process, as the log names it. */
  readonly process: string
  /** A sentence without its end. */
  readonly text: string
}

/** What happened by the log, in the order of time. */
export function stepsOf(lines: readonly LogLine[]): Step[] {
  const steps: (Step & { readonly looked?: number })[] = []
  for (const line of lines) {
    const { time, process } = line
    const before = steps.at(-1)
    if (isLook(line) && before?.looked !== undefined && before.process === process) {
      // Polls would hide what else has happened.
      const looked = before.looked + 1
      steps[steps.length - 1] = { ...before, looked, text: `looked it up ${looked} times, until ${time}` }
      continue
    }
    const text = textOf(line, lines)
    if (text === undefined) continue
    steps.push({ time, process, text, ...(isLook(line) ? { looked: 1 } : {}) })
  }
  return steps.map(({ time, process, text }) => ({ time, process, text }))
}

function isLook({ event, name = '', code }: LogLine): boolean {
  return event === 'call:end' && !isCreate(name) && code === undefined
}

export function isCreate(name: string | undefined): boolean {
  return name?.endsWith('.create') === true
}

function textOf(line: LogLine, lines: readonly LogLine[]): string | undefined {
  const { event, name = 'a call', code, kind, pid, host, result, status, paymentStatus, failure } = line
  switch (event) {
    case 'call:start':
      return `${name} was called, by process ${pid ?? 'unknown'}${host === undefined ? '' : ` on ${host}`}`
    case 'attempt:start':
      return hasEnd(line, lines)
        ? undefined
        : `attempt ${line.attempt} (${line.method}) began, and nothing says how it ended: the process may have been ended`
    case 'attempt:end':
      return `attempt ${line.attempt} (${line.method}) ${textOfAttempt(line)}`
    case 'call:end':
      if (code !== undefined || line.message !== undefined)
        return `${name} failed (${code ?? 'unexpected'}): ${line.message ?? ''}`
      if (!isCreate(name)) return 'looked it up'
      return line.replayed
        ? `${name} succeeded: the gateway had this ${kind} already, and shows it (replayed)`
        : `${name} succeeded: the gateway accepted the ${kind}`
    case 'callback':
      return `a callback came, and was answered ${status} (${callbackResults[result ?? ''] ?? result})`
    case 'delivery': {
      const shown = paymentStatus === undefined ? 'without a status' : `as ${paymentStatus}`
      return result === 'resolved'
        ? `your function was called with it ${shown}, and dealt with it`
        : `your function was called with it ${shown}, and failed (${failure ?? 'unknown'})`
    }
    default:
      return undefined
  }
}

const callbackResults: Readonly<Partial<Record<string, string>>> = {
  succeeded: 'dealt with',
  failed: 'your function failed, so the gateway may send it again',
  unavailable: 'the payment could not be looked up in time',
}

/** Whether an attempt that began has ended, by the log. */
export function hasEnd({ process, call, attempt, method }: LogLine, lines: readonly LogLine[]): boolean {
  return lines.some(
    (other) =>
      other.event === 'attempt:end' &&
      other.process === process &&
      other.call === call &&
      other.attempt === attempt &&
      other.method === method,
  )
}

function textOfAttempt({ outcome, status, failure, method }: LogLine): string {
  switch (outcome) {
    case 'answered':
      if (status === 409) return 'was answered 409: the gateway has accepted this id before'
      return method === 'GET' ? `was answered ${status}` : `was answered ${status}: accepted`
    case 'refused':
      return `was refused with ${status}, and not processed`
    case 'unsent':
      return `did not reach the gateway (${failure ?? 'unknown'})`
    case 'unusable':
      return `was processed, and its answer (${status}) can't be used`
    default:
      return `has no usable answer (${failure ?? status ?? 'unknown'}), so it may have been processed`
  }
}
