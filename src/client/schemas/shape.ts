import { visible } from '../input/visible.js'
import {
  type $ZodIssue,
  type $ZodType,
  type Described,
  shapeOf as fieldsOf,
  type Schema,
  safeParse,
} from '../input/zod.js'

/** What is wrong in a response is drift, unless the caller can't do without it. */
export interface AnswerShape<T> {
  readonly schema: Schema<T>
  /** Paths without which the result would be of no use, for example `process.status`. */
  readonly required: readonly string[]
  readonly mayBeEmpty?: true
  readonly fromText?: (body: string) => unknown
  /** A field that this gateway has elsewhere: nothing about it is reported. */
  readonly elsewhere?: string
  /** Never there: it ties the shape to the interface that callers see. */
  readonly result?: T
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/**
 * The shape of a noun. Its interface is written by hand, so that the declarations that users get know nothing of
 * zod; where the schema describes anything else, a second argument is missing that nobody has. The required paths
 * are those of the schema.
 *
 * The types promise what comes through: what a gateway may leave out, or write as null, says so. What is there
 * and is of another kind than the specification shows is drift, which is reported and not typed.
 *
 * @example
 * const moneyShape = shapeOf<Money>()(z.looseObject({ amount: z.number(), currencyCode: z.string() }))
 */
export function shapeOf<T>(): <S extends Schema<T>>(
  schema: S,
  ...differs: Same<Described<S>, T> extends true ? [] : ['the schema describes another type']
) => AnswerShape<T> {
  return (schema, ..._differs) => ({ schema, required: requiredPaths(schema) })
}

/** The paths of all that can't be absent. A list stands for what is in it, which may be nothing. */
function requiredPaths(schema: $ZodType, path = ''): readonly string[] {
  const shape = fieldsOf(schema)
  if (shape === undefined) return path === '' || 'innerType' in schema._zod.def ? [] : [path]
  return Object.entries(shape).flatMap(([name, field]) =>
    requiredPaths(field, path === '' ? name : `${path}.${name}`),
  )
}

export interface ShapeReport {
  readonly unusable: readonly string[]
  readonly drift: readonly string[]
}

/** Undefined when everything fits. Never changes the body, and says no more of it than a person would read. */
export function inspectShape(shape: AnswerShape<unknown>, body: unknown): ShapeReport | undefined {
  const result = safeParse(shape.schema, body)
  if (result.success) return undefined
  const unusable: $ZodIssue[] = []
  const drift: $ZodIssue[] = []
  for (const issue of result.error.issues) {
    const path = pathOf(issue)
    if (shape.elsewhere !== undefined && issue.path[0] === shape.elsewhere) continue
    const missed = path === '' || shape.required.some((name) => name === path || name.startsWith(`${path}.`))
    const list = missed ? unusable : drift
    list.push(issue)
  }
  const say = (issue: $ZodIssue) => visible(`${pathOf(issue) || 'body'}: ${expectation(issue)}`)
  if (unusable.length + drift.length === 0) return undefined
  return { unusable: bounded(unusable, say), drift: bounded(drift, say) }
}

function pathOf({ path }: $ZodIssue): string {
  return path.map(String).join('.')
}

const longestLine = 200
const mostLines = 20

/** What is said of the first so many, each of a length that fits into a log, and how many there are besides. */
export function bounded<T>(things: readonly T[], say: (thing: T) => string): string[] {
  const lines = things.slice(0, mostLines).map((thing) => {
    const line = say(thing)
    return line.length <= longestLine ? line : `${line.slice(0, longestLine)}…`
  })
  return things.length > lines.length ? [...lines, `and ${things.length - lines.length} more`] : lines
}

export function isUsable<T>(
  _shape: AnswerShape<T>,
  _body: unknown,
  report: ShapeReport | undefined,
): _body is T {
  return report === undefined || report.unusable.length === 0
}

function expectation(issue: $ZodIssue): string {
  return issue.code === 'invalid_type' ? `expected ${issue.expected}` : `does not fit (${issue.code})`
}
