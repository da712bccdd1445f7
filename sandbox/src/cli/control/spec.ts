import type { Option } from 'commander'
import type { ControlRequest } from '../sandbox-control.js'

/** The options that were given, by the names that commander makes of them. */
export type Given = Readonly<Record<string, unknown>>

/** One command that sees or steers a running sandbox. */
export interface Control {
  readonly name: string
  readonly does: string
  /** As commander has them, `<ID>` or `[ID]`, with what they say of themselves. */
  readonly args?: readonly (readonly [name: string, says: string])[]
  readonly options?: () => readonly Option[]
  /** Lines at the end of its help. */
  readonly more?: string
  /** @throws CommandFailed when what was given fits together in no way */
  readonly order: (given: Given, args: readonly string[]) => ControlRequest
  /** What is printed of the answer, a line each. */
  readonly lines: (answer: unknown, args: readonly string[]) => readonly string[]
  /** Whether the answer is a no, for the exit code. */
  readonly isRefused?: (answer: unknown) => boolean
}

/** Commands under one word. */
export interface ControlGroup {
  readonly name: string
  readonly does: string
  readonly controls: readonly (Control | ControlGroup)[]
}

/** The options of these names, without those that were not given. */
export function picked(given: Given, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))
}
