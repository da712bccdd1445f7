import type { ClientOptions } from '../../src/index.js'

/** Some options of a client, with whatever credentials a test brings. */
export type SomeOptions = { readonly [Name in keyof ClientOptions]?: ClientOptions[Name] | undefined }

/** Options as JavaScript may hand them in: some over others, whatever the types say of both together. */
export function over(base: ClientOptions, ...more: readonly object[]): ClientOptions {
  return Object.assign({ ...base }, ...more)
}
