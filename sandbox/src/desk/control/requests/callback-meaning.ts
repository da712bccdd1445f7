import type { Meaning } from './exchange-meaning.js'

/** What decides about the meaning of a callback that failed. */
export interface CallbackFacts {
  /** The receiver's status; undefined when there was no answer. */
  readonly answer: number | undefined
  /** Why there was none. */
  readonly error: string | undefined
  readonly attempt: number
  readonly tries: number
}

/** What it means that a callback failed, and how to fix it. */
export function callbackMeaning({ answer, error = '', attempt, tries }: CallbackFacts): Meaning {
  const { what, fix } = answer === undefined ? unanswered(error) : answered(answer)
  const next =
    attempt < tries
      ? `Try ${attempt} of ${tries}.`
      : `Try ${attempt} of ${tries}: it is not sent again by itself.`
  return { what: `${what} ${next}`, fix }
}

function answered(status: number): Meaning {
  const what = `The receiver answered ${status}.`
  if (status >= 500) {
    return { what, fix: 'Look into the log of the receiver: it failed while it dealt with the payment.' }
  }
  if (status === 404) {
    return {
      what,
      fix: 'Compare the callbackUrl with the path that the receiver listens to. A CallbackReceiver also answers 404 to a URL that it has not signed: compare its secret.',
    }
  }
  if (status >= 400) {
    return {
      what,
      fix: 'The receiver did not take the callback: its log or its code says why.',
    }
  }
  return {
    what,
    fix: 'Only a 2xx counts, and redirects are not followed: give the URL of the receiver itself.',
  }
}

function unanswered(error: string): Meaning {
  if (/ECONNREFUSED/.test(error)) {
    return {
      what: 'Nobody listens there.',
      fix: 'Start the receiver, or correct host and port of the callbackUrl.',
    }
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(error)) {
    return {
      what: 'The host of the callbackUrl has no address.',
      fix: 'Correct the name in the callbackUrl.',
    }
  }
  if (/^No answer within/.test(error)) {
    return {
      what: error,
      fix: 'Answer first and do what takes long afterwards, or find out what the receiver waits for.',
    }
  }
  return {
    what: error === '' ? 'It was not answered.' : sentence(error),
    fix: 'See whether the receiver can be reached from here.',
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
