import type { SandboxCallback } from '../../../gateway/callbacks/attempt.js'

type Result = Pick<SandboxCallback, 'response' | 'error'>

/** What to do about a callback that failed, by its status; the first row that fits counts. */
const byStatus: readonly (readonly [least: number, most: number, fix: string])[] = [
  [500, 599, 'Read the log of the receiver: it failed while it handled the payment.'],
  [
    404,
    404,
    'Compare the callbackUrl with the path that the receiver listens on. A CallbackReceiver also sends 404 for a URL that it has not signed: compare its secret.',
  ],
  [400, 499, 'The receiver did not take the callback: its log or its code says why.'],
  [100, 399, 'Only a 2xx counts, and redirects are not followed: give the URL of the receiver itself.'],
]

/** The same by the error where there was no response. */
const byError: readonly (readonly [pattern: RegExp, fix: string])[] = [
  [/ECONNREFUSED/, 'Nothing listens there: start the receiver, or correct host and port of the callbackUrl.'],
  [/ENOTFOUND|EAI_AGAIN/, 'The host has no address: correct its name in the callbackUrl.'],
  [
    /^No response within/,
    'Respond first and do slow work afterwards, or find out what the receiver waits for.',
  ],
  [/./, 'Check whether the receiver can be reached from here.'],
]

export function callbackFix({ response: status, error }: Result): string | null {
  if (status !== undefined) {
    if (status >= 200 && status < 300) return null
    return byStatus.find(([least, most]) => status >= least && status <= most)?.[2] ?? null
  }
  if (error === undefined) return null
  return byError.find(([pattern]) => pattern.test(error))?.[1] ?? null
}
