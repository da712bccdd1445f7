import type { SandboxCallback } from '../../../gateway/callbacks/delivery-log.js'

type Result = Pick<SandboxCallback, 'answer' | 'error'>

/** Whether a callback had an answer other than 2xx, or none. */
export function hasFailed({ answer, error }: Result): boolean {
  return error !== undefined || (answer !== undefined && (answer < 200 || answer >= 300))
}

/** What to do about a callback that failed; null for any other. */
export function callbackFix(result: Result): string | null {
  if (!hasFailed(result)) return null
  const { answer, error = '' } = result
  return answer === undefined ? ofSilence(error) : ofAnswer(answer)
}

function ofAnswer(status: number): string {
  if (status >= 500) return 'Look into the log of the receiver: it failed while it dealt with the payment.'
  if (status === 404) {
    return 'Compare the callbackUrl with the path that the receiver listens to. A CallbackReceiver also answers 404 to a URL that it has not signed: compare its secret.'
  }
  if (status >= 400) return 'The receiver did not take the callback: its log or its code says why.'
  return 'Only a 2xx counts, and redirects are not followed: give the URL of the receiver itself.'
}

function ofSilence(error: string): string {
  if (/ECONNREFUSED/.test(error)) {
    return 'Nobody listens there: start the receiver, or correct host and port of the callbackUrl.'
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(error))
    return 'The host has no address: correct its name in the callbackUrl.'
  if (/^No answer within/.test(error)) {
    return 'Answer first and do what takes long afterwards, or find out what the receiver waits for.'
  }
  return 'See whether the receiver can be reached from here.'
}
