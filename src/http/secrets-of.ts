import { redaction } from '../redact/load.js'
import { parseJson } from './parse-json.js'

/** Where the secrets of a call are. */
export interface SecretSource {
  readonly body?: string | undefined
  readonly secrets?: (() => readonly string[]) | undefined
  /** The token of the last attempt. */
  readonly token: string | undefined
  /** Tokens of the attempts before, and signatures. */
  readonly sent?: ReadonlySet<string> | undefined
}

/** All that a call has sent and that nobody should read: an answer may quote any of its attempts. */
export function secretsOf({ body, secrets, token, sent = new Set() }: SecretSource): string[] {
  return [
    ...(secrets?.() ?? []),
    ...(body === undefined ? [] : redaction().secretsIn(parseJson(body))),
    ...(token === undefined ? [] : [token]),
    ...sent,
  ]
}
