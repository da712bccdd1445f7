/** What the package holds beside dist. */
export const documents = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'THIRD-PARTY-NOTICES.md',
  'package.json',
]

/** Code, the source maps of the main entry, types for import and for require and the schemas of profiles and policies. */
const built = [
  /^dist\/[\w/-]+\.c?js$/,
  /^dist\/index\.c?js\.map$/,
  /^dist\/[\w/-]+\.d\.c?ts$/,
  /^dist\/(?:gateway-profile|signer-policy)\.schema\.json$/,
]

/** The files of the package that nobody has asked for. */
export function unexpected(files: readonly string[]): string[] {
  return files.filter((file) => !documents.includes(file) && !built.some((pattern) => pattern.test(file)))
}
