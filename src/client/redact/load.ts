import { mask } from './mask.js'

type Redacting = typeof import('./redacting.js')

/** Where it can't be loaded: nothing that came from outside is shown, and errors are what they are. */
const nothingShown: Redacting = {
  hiding: () => () => mask,
  bodyStart: () => mask,
  cleanCause: () => undefined,
  gatewayMessage: () => undefined,
  secretsIn: () => [],
  secretsInPath: () => [],
  shownHeaders: () => ({}),
}

let redacting = nothingShown
let loading: Promise<void> | undefined

/** What finds and hides secrets. Loaded before the first request goes out, so before there is an answer. */
export function redaction(): Redacting {
  return redacting
}

/** Never rejects: a payment is made all the same. */
export function loadRedaction(): Promise<void> {
  loading ??= import('./redacting.js').then(
    (loaded) => {
      redacting = loaded
    },
    () => {
      loading = undefined
    },
  )
  return loading
}
