import { signal } from '@preact/signals'

export const announcement = signal<{ readonly text: string; readonly isBad: boolean }>({
  text: '',
  isBad: false,
})

const SHOWN_MS = 6000
let timer: ReturnType<typeof setTimeout> | undefined

export function announce(text: string, isBad = false): void {
  announcement.value = { text, isBad }
  clearTimeout(timer)
  timer = setTimeout(() => {
    announcement.value = { text: '', isBad: false }
  }, SHOWN_MS)
}

/** Does something on the sandbox, and announces the result. */
export async function attempt(work: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await work()
    announce(done)
    return true
  } catch (error) {
    announce(error instanceof Error ? error.message : String(error), true)
    return false
  }
}

export function CopyButton({ text, children }: { text: () => string; children: string }) {
  return (
    <button type="button" class="small" onClick={() => void copy(text(), children)}>
      {children}
    </button>
  )
}

/** Browsers have a clipboard for pages of this machine and for https only. */
async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    announce(`${what}: done.`)
  } catch {
    announce('This browser does not let the page copy; open it as 127.0.0.1.', true)
  }
}
