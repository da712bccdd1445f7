import * as z from 'zod/mini'
import { dotted, type Path } from '../input/check.js'
import type { RefusalCode } from './refusal-fixes.js'
import { Refusal } from './response.js'

/** @throws with 400 that names the first field that is certainly wrong ({@link Refusal}). */
export function readBody<Schema extends z.ZodMiniType>(
  schema: Schema,
  body: Record<string, unknown>,
  codeOf: (path: Path) => RefusalCode,
): z.infer<Schema> {
  const read = z.safeParse(schema, body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  if (issue === undefined) throw read.error
  throw new Refusal(400, codeOf(issue.path), `${dotted(issue.path)} ${issue.message}.`)
}
