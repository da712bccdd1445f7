import { span } from '../text/span.js'
import { listed } from '../text/words.js'
import type { PaymentDetails, RequestEntry } from './entries.js'

const LATE_MS = 1000

/** What happened to the creates of a payment, where it is more than one create with one answer. */
export function sentencesOfCreates(
  { kind, createdAt }: PaymentDetails,
  requests: readonly RequestEntry[],
): string[] {
  const creates = requests.filter(({ method, signature }) => method === 'POST' && signature === null)
  const accepting = creates.findIndex(isAccepting)
  if (accepting < 0) return []
  const accepted = creates[accepting]
  const before = creates.slice(0, accepting)
  const later = creates.slice(accepting + 1)
  const lookups = requests.filter(({ method, at }) => method === 'GET' && at >= createdAt)
  if (accepted === undefined) return []
  const nth = accepting === 0 ? 'first ' : ''
  const fate = fateOf(accepted, later, nth)
  const isLost = fate?.isLost === true
  const conflicts = later.filter(({ differs }) => differs.length > 0)
  const replays = later.filter(
    ({ verdict, differs }) => verdict === 'ALREADY_ACCEPTED' && differs.length === 0,
  )
  return [
    ...refusals(before),
    ...(fate === undefined ? [] : [`${fate.text}${isLost ? found(later, lookups, accepted) : ''}.`]),
    ...(isLost || replays.length === 0 ? [] : [replayed(replays.length)]),
    ...(conflicts.length === 0 ? [] : [conflicting(conflicts)]),
    ...hidden(lookups),
    ...(creates.length > 1 || isLost ? [`One ${kind}.`] : []),
  ]
}

/** Whether the payment is there because of this create; of two that raced, the log has the one that lost. */
function isAccepting({ verdict, fault }: RequestEntry): boolean {
  return verdict === 'OK' || fault?.kind === 'overtaken'
}

/** The creates that came to nothing, before one was accepted. */
function refusals(creates: readonly RequestEntry[]): string[] {
  const refused = creates.filter(({ arrival, status }) => arrival === 'whole' && status !== null)
  const lost = creates.length - refused.length
  const codes = listed([...new Set(refused.map(({ status }) => String(status)))])
  const sentences: string[] = []
  if (refused.length === 1) sentences.push(`One create was refused with ${codes} before.`)
  if (refused.length > 1) sentences.push(`${refused.length} creates were refused with ${codes} before.`)
  if (lost === 1) sentences.push('One create was lost on its way, and nothing was accepted.')
  if (lost > 1) sentences.push(`${lost} creates were lost on their way, and nothing was accepted.`)
  return sentences
}

interface Fate {
  readonly text: string
  /** Whether the client could not know that the payment was accepted. */
  readonly isLost: boolean
}

/** What became of the answer to the create that was accepted; undefined when it simply came. */
function fateOf(create: RequestEntry, later: readonly RequestEntry[], nth: string): Fate | undefined {
  const { arrival, status, tookMs, fault, at } = create
  const lost = (what: string): Fate => ({ text: `The ${nth}answer ${what}`, isLost: true })
  if (fault?.kind === 'overtaken')
    return { text: 'Another create with this id was faster, and this one met 409', isLost: true }
  if (arrival === 'reset') return lost('was lost')
  if (arrival === 'cut') return lost('broke off')
  if (arrival === 'none') return lost('never came')
  if (arrival === 'left') return lost('came too late: the client had gone')
  if (arrival === 'whole' && status !== null && status >= 400)
    return lost(`said ${status}, though the ${nth === '' ? 'create' : 'first create'} was accepted`)
  if (fault?.kind === 'callback-first') {
    return { text: 'The first callback was delivered before the create was answered', isLost: false }
  }
  if (tookMs === null || tookMs < LATE_MS) return undefined
  const isTooLate = later.some((next) => next.at < at + tookMs)
  const end = isTooLate ? ', when the client had asked again' : ''
  return { text: `The ${nth}answer came after ${span(tookMs)}${end}`, isLost: false }
}

/** How the client found out about a payment whose answer it did not get. */
function found(
  later: readonly RequestEntry[],
  lookups: readonly RequestEntry[],
  { at }: RequestEntry,
): string {
  if (lookups.some((lookup) => lookup.at >= at && lookup.arrival === 'whole' && lookup.status === 200)) {
    return '; the client found it again'
  }
  if (later.some(({ verdict }) => verdict === 'ALREADY_ACCEPTED'))
    return '; the client asked again, met 409, and has not looked the payment up'
  return '; nobody has asked for the payment since'
}

function replayed(count: number): string {
  return count === 1
    ? 'The create was repeated: 409, and nothing was done twice.'
    : `The create was repeated ${count} times: 409 each time, and nothing was done twice.`
}

function conflicting(conflicts: readonly RequestEntry[]): string {
  const what = listed([...new Set(conflicts.flatMap(({ differs }) => differs))])
  return conflicts.length === 1
    ? `Another create under this id differed in ${what}: 409, and the payment stayed as it was.`
    : `${conflicts.length} creates under this id differed in ${what}: 409 each, and the payment stayed as it was.`
}

function hidden(lookups: readonly RequestEntry[]): string[] {
  const missed = lookups.filter(({ status, arrival }) => status === 404 && arrival === 'whole')
  return missed.length === 0 ? [] : ['It could not be found at first: 404.']
}
