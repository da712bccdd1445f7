import { mask } from '../redact/mask.js'
import { isOvergrown } from './overgrown.js'

type Redacting = typeof import('../redact/redacting.js')

/** Where it can't be loaded: nothing that came from outside is shown, and errors are what they are. */
const nothingShown: Redacting = {
  hiding: () => () => mask,
  bodyStart: () => mask,
  gatewayMessage: () => undefined,
  secretsIn: () => [],
  secretsInPath: () => [],
}

let redacting = nothingShown
let loading: Promise<void> | undefined

/** What finds and hides secrets. Loaded before the first request goes out, so before there is an answer. */
export function redaction(): Redacting {
  return redacting
}

/** Never rejects: a payment is made all the same. */
export function loadRedaction(): Promise<void> {
  loading ??= import('../redact/redacting.js').then(
    (loaded) => {
      redacting = loaded
    },
    () => {
      loading = undefined
    },
  )
  return loading
}

/** The parsed body, or undefined when it is not JSON that is worth its time. */
export function parseJson(body: string): unknown {
  if (isOvergrown(body)) return undefined
  try {
    return JSON.parse(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body)
  } catch {
    return undefined
  }
}
