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
