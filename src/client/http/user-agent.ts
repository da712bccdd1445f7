/** The version of this package; a test holds it to package.json. */
export const version = '0.2.0'

/** Who asks, for the gateway's operators: the package and its version, the runtime and its version. */
export function userAgent(versions: Readonly<Record<string, string | undefined>> = process.versions): string {
  const runtime = ['bun', 'deno', 'node'].find((name) => versions[name] !== undefined)
  const ofRuntime = runtime === undefined ? '' : ` ${runtime}/${versions[runtime]}`
  return `merchant-gateway/${version}${ofRuntime}`
}
