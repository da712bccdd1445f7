/** The version of this package; a test holds it to package.json. */
export const version = '0.3.0'

export function userAgent(versions: Readonly<Record<string, string | undefined>> = process.versions): string {
  const runtime = ['bun', 'deno', 'node'].find((name) => versions[name] !== undefined)
  const ofRuntime = runtime === undefined ? '' : ` ${runtime}/${versions[runtime]}`
  return `merchant-gateway/${version}${ofRuntime}`
}

export const plainHeaders: Readonly<Record<string, string>> = {
  accept: 'application/json',
  // undici decodes nothing, and without a word of it a proxy may compress.
  'accept-encoding': 'identity',
  // Only the major version travels (specification, section 9).
  'x-api-version': '2',
  'user-agent': userAgent(),
}

export const jsonHeaders = { ...plainHeaders, 'content-type': 'application/json' }
