import { signal } from '@preact/signals'
import type { Kind } from '../control/messages.js'

/** The payment that is open; in the fragment, so that links and the browser's way back work. */
export interface Opened {
  readonly kind: Kind
  readonly id: string
}

export const opened = signal<Opened | null>(read())

addEventListener('hashchange', () => {
  opened.value = read()
})

/** The heading of the payment takes the focus as soon as it is drawn. */
export const wantsFocus = signal(false)

export function open({ kind, id }: Opened): void {
  location.hash = `#/${kind}/${encodeURIComponent(id)}`
}

export function closePayment(): void {
  location.hash = '#/'
}

export function isOpen(kind: Kind, id: string): boolean {
  return opened.value?.kind === kind && opened.value.id === id
}

function read(): Opened | null {
  const [, kind, id = ''] = /^#\/(payin|payout)\/(.+)$/.exec(location.hash) ?? []
  if (kind !== 'payin' && kind !== 'payout') return null
  try {
    return { kind, id: decodeURIComponent(id) }
  } catch {
    return null
  }
}
