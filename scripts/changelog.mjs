// @ts-check
// CHANGELOG.md as a release writes it, from the notes in .changeset. Pure functions, for scripts/release.mjs.

/** The headings of Keep a Changelog, in the order in which a release has them. Whoever upgrades reads first what breaks. */
const headings = ['Breaking', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

/** @typedef {{ id: string, summary: string }} Note what stands in .changeset/ID.md below its versions */

/**
 * The lists of a note, each with its heading.
 * @param {Note} note
 * @returns {[heading: string, list: string][]}
 */
export function listsOf({ id, summary }) {
  const [before = '', ...parts] = `\n${summary}`.split('\n### ')
  if (before.trim() !== '' || parts.length === 0) {
    throw new Error(
      `.changeset/${id}.md has to begin with one of the headings "### ${headings.join('", "### ')}".`,
    )
  }
  return parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n')
    const list = lines.join('\n').trim()
    if (!headings.includes(heading.trim())) {
      throw new Error(
        `.changeset/${id}.md has the heading "${heading.trim()}"; there are ${headings.join(', ')}.`,
      )
    }
    if (!list.startsWith('- ')) {
      throw new Error(`.changeset/${id}.md has no list ("- …") under "${heading.trim()}".`)
    }
    // In the changelog it would begin a section of its own, such as a release that was never made.
    if (/^#/m.test(list)) {
      throw new Error(`.changeset/${id}.md has a line with "#" in the list under "${heading.trim()}".`)
    }
    return [heading.trim(), list]
  })
}

/**
 * The changelog with one more release, above those that are there.
 * @param {string} changelog @param {readonly Note[]} notes @param {string} version @param {string} day such as 2026-11-30
 */
export function withRelease(changelog, notes, version, day) {
  const lists = notes.flatMap(listsOf)
  const sections = headings.flatMap((heading) => {
    const below = lists.filter(([of]) => of === heading).map(([, list]) => list)
    return below.length === 0 ? [] : [`### ${heading}\n\n${below.join('\n')}\n`]
  })
  const newest = changelog.search(/^## /m)
  const at = newest < 0 ? changelog.length : newest
  return `${changelog.slice(0, at)}## [${version}] - ${day}\n\n${sections.join('\n')}\n${changelog.slice(at)}`
}
