import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/index.js'

/** A sandbox that listens with its page, and the page's own requests to it. */
export interface PageOf extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly url: string
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }>
}

export async function pageOf(options: SandboxOptions = {}): Promise<PageOf> {
  const sandbox = createSandbox({ rateLimit: false, payAfterMs: false, ...options })
  const { url } = await sandbox.listen({ page: true })
  return {
    sandbox,
    url,
    async ask(method, path, body) {
      const init = { method, headers: { 'content-type': 'application/json' } }
      const response = await fetch(
        `${url}/_sandbox/api/${path}`,
        body === undefined ? { method } : { ...init, body: JSON.stringify(body) },
      )
      return { status: response.status, json: await response.json() }
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
}
