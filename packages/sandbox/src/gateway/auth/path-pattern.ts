import { Refusal } from '../wire/response.js'

/** No pattern is longer, in characters. */
const MAX_PATTERN_LENGTH = 8192
/** No longer path is matched with a pattern; the time grows with its length to the power of the repetitions. */
const MAX_PATH_LENGTH = 1000
const MAX_REPETITIONS = 3
/** Groups and `?`. Each may double the time. */
const MAX_CHOICES = 10

/** An escaped character, a class of characters, a fixed count, or one character. */
const tokens = /\\.|\[(?:\\.|[^\]\\])*\]|\{\d+\}|./gs

/**
 * The path of an operation as a test of paths. Section 5 allows regular expressions and names no dialect. Here they
 * are those of JavaScript, without the ones that may backtrack without bound. A pattern has to match the whole path:
 * an assumption, because an operation names a whole path.
 *
 * @throws with 400 that says what is wrong with the pattern ({@link Refusal}).
 */
export function compilePath(pattern: string): (path: string) => boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) throw invalid(`is longer than ${MAX_PATTERN_LENGTH} characters.`)
  // A valid pattern, but one that no path matches: braces are percent-encoded there.
  const [template] = /\{[A-Za-z_]\w*\}/.exec(pattern) ?? []
  if (template !== undefined) throw invalid(`has ${template}; write the id itself in its place.`)
  const whole = compiled(pattern)
  checkBacktracking(pattern)
  return (path) => path.length <= MAX_PATH_LENGTH && whole.test(path)
}

function compiled(pattern: string): RegExp {
  try {
    // By itself first: `a)|(b` is a pattern only inside of the group below.
    new RegExp(pattern)
    return new RegExp(`^(?:${pattern})$`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw invalid(`is no regular expression of JavaScript: ${reason}.`)
  }
}

function checkBacktracking(pattern: string): void {
  const found = pattern.match(tokens) ?? []
  const isRepetition = (token: string | undefined) => token !== undefined && /^[*+{]/.test(token)
  if (found.some((token, at) => token === ')' && isRepetition(found[at + 1]))) {
    throw invalid(
      'repeats a group, as (a+)+ does, which can take for ever to match; repeat characters only, as in .* or [^/]+.',
    )
  }
  const repetitions = found.filter((token) => isRepetition(token) && !/^\{\d+\}$/.test(token)).length
  const choices = found.filter((token) => token === '(' || token === '?').length
  if (repetitions > MAX_REPETITIONS || choices > MAX_CHOICES) {
    throw invalid(
      `can take too long to match: it may have ${MAX_REPETITIONS} repetitions (*, + or {1,9}) and ${MAX_CHOICES} groups and question marks; make more operations of it.`,
    )
  }
}

function invalid(problem: string): Refusal {
  return new Refusal(400, 'INVALID_OPERATIONS', `The path of an operation ${problem}`)
}
