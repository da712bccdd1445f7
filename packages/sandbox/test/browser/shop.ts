import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** The demo shop as `npm run demo:shop` starts it, on free ports. */
export interface DemoShop {
  readonly url: string
  readonly gatewayPage: string
  /** The page that shows both in one window, below the bar. */
  readonly sideBySide: string
  /** Ctrl-C. @returns the exit code */
  stop(): Promise<number | null>
}

export async function startShop(): Promise<DemoShop> {
  const child = spawn(process.execPath, ['examples/demo-shop/start.mjs'], {
    cwd: root,
    env: { ...process.env, SHOP_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const text = await printed(child, 'Ctrl-C')
  const [sideBySide, url, gatewayPage] = text.match(/http:\S+/g) ?? []
  if (url === undefined || gatewayPage === undefined || sideBySide === undefined) {
    throw new Error(`The shop said: ${text}`)
  }
  return {
    url,
    gatewayPage,
    sideBySide,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      const [code] = await ended
      return typeof code === 'number' ? code : null
    },
  }
}

function printed({ stdout }: ChildProcess, wanted: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes(wanted)) resolve(text)
    })
    stdout?.on('end', () => reject(new Error(`The shop ended and said: ${text}`)))
  })
}
