/** What the package holds beside dist and the pages and programs to copy. */
export const documents = [
  'AGENTS.md',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'THIRD-PARTY-NOTICES.md',
  'package.json',
]

/** Code, types for import and for require, what machines read, guides with their drawings, and examples. */
const expected = [
  /^dist\/[\w/-]+\.c?js$/,
  /^dist\/[\w/-]+\.d\.c?ts$/,
  /^dist\/[\w-]+\.(?:schema|cdx)\.json$/,
  /^docs\/(?:decisions\/)?[\w.-]+\.md$/,
  /^docs\/alerts\/[\w-]+\.(?:json|yml)$/,
  /^docs\/images\/[\w-]+\.svg$/,
  // The picture of the README.
  /^docs\/images\/sandbox-page-light\.webp$/,
  /^examples\/(?:README\.md|[\w-]+\.mjs)$/,
  /^examples\/demo-shop\/[\w/-]+\.(?:css|html|js|md|mjs)$/,
]

/** The files of the package that nobody has asked for. */
export function unexpected(files: readonly string[]): string[] {
  return files.filter((file) => !documents.includes(file) && !expected.some((pattern) => pattern.test(file)))
}
