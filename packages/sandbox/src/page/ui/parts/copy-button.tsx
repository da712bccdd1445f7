import { announce } from './announce.js'

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
