import type { CalledBack } from '../../callbacks/index.js'

/** Below the 8000 bytes that PostgreSQL takes, whatever the characters. */
const longestMessage = 2_000

/** A message about one payment: `1 SENDER KIND ID`, where the id may hold spaces. Undefined where it is too long. */
export function writeMessage(sender: string, { kind, id }: CalledBack): string | undefined {
  const message = `1 ${sender} ${kind} ${id}`
  return message.length <= longestMessage && !message.includes('\0') ? message : undefined
}

/** What a message says, unless it is one's own or none: anybody who has the channel can write to it. */
export function readMessage(message: unknown, own: string): CalledBack | undefined {
  if (typeof message !== 'string' || message.length > longestMessage) return undefined
  const [, sender, kind, id] = /^1 ([\w-]{1,64}) (payin|payout) (.+)$/s.exec(message) ?? []
  if (sender === own || id === undefined || (kind !== 'payin' && kind !== 'payout')) return undefined
  return { kind, id }
}
