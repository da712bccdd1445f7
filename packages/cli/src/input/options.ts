import { ConfigurationError } from 'merchant-gateway'
import * as z from 'zod/mini'

/**
 * Checks the options of a function against a strict schema.
 *
 * @throws naming the option that is unknown or wrong ({@link ConfigurationError}).
 */
export function readOptions<T>(schema: z.ZodMiniType<T>, options: unknown, of: string): T {
  const read = z.safeParse(schema, options)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys : [])].join('.')
  const why = issue?.code === 'unrecognized_keys' ? 'is no option that this version knows' : issue?.message
  throw new ConfigurationError(`${of}: ${path || 'options'} ${why}.`, { option: path })
}
