import * as z from './zod.js'

/**
 * What a response should look like. A field that is wrong is drift: reported, and left as it came.
 * Only what the caller can't do without makes a response unusable.
 */
export interface Shape<T> {
  readonly schema: z.$ZodType
  /** Paths without which the result would be of no use, for example `process.status`. */
  readonly required: readonly string[]
  /** Never there: it ties the shape to the interface that callers see. */
  readonly result?: T
}

/** What is wrong with a response. Paths and expectations only: values may be a customer's. */
export interface ShapeReport {
  readonly unusable: readonly string[]
  readonly drift: readonly string[]
}

/** Compares a parsed body with its shape; undefined when everything fits. Never changes the body. */
export function inspectShape(shape: Shape<unknown>, body: unknown): ShapeReport | undefined {
  const result = z.safeParse(shape.schema, body)
  if (result.success) return undefined
  const unusable: string[] = []
  const drift: string[] = []
  for (const issue of result.error.issues) {
    const path = issue.path.map(String).join('.')
    const line = `${path || 'body'}: ${expectation(issue)}`
    const missed = path === '' || shape.required.some((name) => name === path || name.startsWith(`${path}.`))
    ;(missed ? unusable : drift).push(line)
  }
  return { unusable, drift }
}

/** Whether a body can be handed to the caller as what the shape promises. */
export function isUsable<T>(_shape: Shape<T>, _body: unknown, report: ShapeReport | undefined): _body is T {
  return report === undefined || report.unusable.length === 0
}

function expectation(issue: z.$ZodIssue): string {
  return issue.code === 'invalid_type' ? `expected ${issue.expected}` : `does not fit (${issue.code})`
}
