import { listed, often } from '../text/words.js'
import type { CallbackEntry, PaymentDetails } from './entries.js'

/** Whether the merchant heard of what happened to a payment. */
export function sentencesOfCallbacks(
  { callbackUrl, status }: PaymentDetails,
  callbacks: readonly CallbackEntry[],
): string[] {
  if (callbackUrl === null) return status === 'CREATED' ? [] : ['It has no callbackUrl, so nobody is told.']
  const silence = nothingHeard(callbacks)
  if (silence !== undefined) return [silence]
  const statuses = [...new Set(callbacks.map(({ paymentStatus }) => paymentStatus))]
  const troubles = statuses.flatMap((name) => {
    const text = trouble(
      name,
      callbacks.filter(({ paymentStatus }) => paymentStatus === name),
    )
    return text === undefined ? [] : [text]
  })
  const delivered = callbacks.filter(isAccepted)
  return [...(troubles.length === 0 ? allWell(callbacks, delivered) : troubles), ...sentBeside(delivered)]
}

function isAccepted({ answer }: CallbackEntry): boolean {
  return answer !== null && answer >= 200 && answer < 300
}

/** The callbacks about more than one status were given up, and none was ever accepted. */
function nothingHeard(callbacks: readonly CallbackEntry[]): string | undefined {
  const statuses = [...new Set(callbacks.map(({ paymentStatus }) => paymentStatus))]
  const givenUp = callbacks.filter(({ isGivenUp }) => isGivenUp)
  const lost = new Set(givenUp.map(({ paymentStatus }) => paymentStatus))
  const tries = givenUp.at(-1)?.attempt ?? 0
  if (statuses.length < 2 || lost.size < statuses.length || callbacks.some(isAccepted)) return undefined
  return `The callbacks for ${listed(statuses)} were given up after ${tries} tries: the merchant has heard of nothing.`
}

/** What is wrong with the callbacks about one status; undefined when they are delivered or on their way. */
function trouble(status: string, attempts: readonly CallbackEntry[]): string | undefined {
  const failed = attempts
    .filter(({ answer, error }) => answer !== null || error !== null)
    .filter((one) => !isAccepted(one))
  const accepted = attempts.find(isAccepted)
  if (accepted !== undefined) {
    return accepted.attempt === 1 || failed.length === 0
      ? undefined
      : `The callback for ${status} was delivered at try ${accepted.attempt}.`
  }
  const withheld = attempts.find(({ isWithheld }) => isWithheld)
  if (withheld !== undefined && failed.length === 0) {
    const by = withheld.fault?.by ?? 'a fault'
    return `No callback was sent for ${status}, because of ${by}.`
  }
  const last = failed.at(-1)
  if (last === undefined) return undefined
  const why = last.answer === null ? 'no answer' : `answered ${last.answer}`
  if (last.isGivenUp) {
    return `The callback for ${status} was given up after ${last.attempt} tries (${why}): the merchant has not heard of it.`
  }
  return `The callback for ${status} failed ${often(last.attempt)} (${why}) and is sent again.`
}

function allWell(callbacks: readonly CallbackEntry[], delivered: readonly CallbackEntry[]): string[] {
  if (callbacks.some(({ answer, error, isWithheld }) => answer === null && error === null && !isWithheld)) {
    return ['A callback waits for its answer.']
  }
  if (delivered.length === 0) return []
  const twice = delivered.find(({ fault }) => fault?.kind === 'twice')
  if (twice !== undefined) return [`Callbacks were sent twice, because of ${twice.fault?.by ?? 'a fault'}.`]
  if (delivered.length === 1) return ['Its callback was delivered.']
  return [
    delivered.length === 2
      ? 'Both callbacks were delivered.'
      : `All ${delivered.length} callbacks were delivered.`,
  ]
}

/** Callbacks that no change of the payment has caused. */
function sentBeside(delivered: readonly CallbackEntry[]): string[] {
  const first = delivered.filter(({ attempt }) => attempt === 1)
  return [
    ...countOf(first.filter(({ source }) => source === 'page').length, 'by hand'),
    ...countOf(first.filter(({ source }) => source === 'code').length, 'by code'),
  ]
}

function countOf(sent: number, by: string): string[] {
  if (sent === 0) return []
  return [sent === 1 ? `One was sent ${by}.` : `${sent} were sent ${by}.`]
}
