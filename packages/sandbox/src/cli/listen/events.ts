import { isObject, jsonOf } from '../../common/json.js'

export interface HandedCallback {
  readonly key: number
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type ListenEvent =
  | { readonly kind: 'listening' }
  /** Somebody else listens from now on. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'callback'; readonly callback: HandedCallback }

const mostBuffered = 8 * 1024 * 1024

/** @param onBytes called whenever bytes arrive, also for comments that keep the connection alive. */
export async function* eventsOf(
  stream: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ListenEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  const reader = stream.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    onBytes()
    rest += decoder.decode(read.value, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > mostBuffered) throw new Error('The sandbox sends a line without an end.')
    for (const line of lines) {
      const event = line.startsWith('data: ') ? eventOf(line.slice(6)) : undefined
      if (event !== undefined) yield event
    }
  }
}

function eventOf(text: string): ListenEvent | undefined {
  const event = jsonOf(text)
  if (!isObject(event)) return undefined
  if (event.listening === true) return { kind: 'listening' }
  if (event.replaced === true) return { kind: 'replaced' }
  const callback = isObject(event.callback) ? callbackOf(event.callback) : undefined
  return callback === undefined ? undefined : { kind: 'callback', callback }
}

function callbackOf({
  key,
  url,
  method,
  headers,
  body,
}: Record<string, unknown>): HandedCallback | undefined {
  if (typeof key !== 'number' || typeof url !== 'string' || !URL.canParse(url)) return undefined
  if (typeof method !== 'string' || typeof body !== 'string') return undefined
  return { key, url: new URL(url), method, headers: isObject(headers) ? known(headers) : {}, body }
}

/** No other headers go on: a sandbox elsewhere has no business with cookies or tokens of this machine. */
function known(headers: Record<string, unknown>): Record<string, string> {
  const names = ['content-type', 'x-api-version']
  return Object.fromEntries(
    names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  )
}

const signed = /^[12]\.[\w-]{8}\.(payin|payout)\.([\w-]{2,})\.[\w-]{43}$/

export function callbackName({ pathname }: URL): string {
  const [, kind, id = ''] = signed.exec(pathname.slice(pathname.lastIndexOf('/') + 1)) ?? []
  if (kind !== undefined) return `${kind} ${Buffer.from(id, 'base64url').toString()}`
  return pathname.replace(/[\w-]{40,}/g, '…')
}
