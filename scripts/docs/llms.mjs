// @ts-check
// Writes llms.txt for the site, as https://llmstxt.org describes it, and the Markdown of the pages that it names beside
// their HTML: node scripts/docs/llms.mjs site
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const site = resolve(process.argv[2] ?? 'site')
/** @param {string} file */
const read = (file) => readFileSync(resolve(root, file), 'utf8')

/** Adds a page to the site as it was written. @param {string} file @param {string} name @param {string} about */
function entry(file, name, about) {
  if (!existsSync(`${site}/guides/${name}.html`)) throw new Error(`The site has no page ${name}.`)
  copyFileSync(resolve(root, file), `${site}/guides/${name}.md`)
  const [, title = name] = /^# (.*)/m.exec(read(file)) ?? []
  return `- [${title}](guides/${name}.md): ${about}`
}

/** The lists of docs/README.md, each under its heading. */
const lines = read('docs/README.md')
  .split('\n')
  .flatMap((line) => {
    if (line.startsWith('## ')) return ['', line, '']
    const [, file, about = ''] = /^- \[[^\]]*\]\(([\w.-]+\.md)\): (.*)$/.exec(line) ?? []
    return file === undefined ? [] : [entry(`docs/${file}`, basename(file, '.md').toLowerCase(), about)]
  })

const [, summary = ''] = /^# .*\n\n(.*)/.exec(read('README.md')) ?? []
const rules = entry(
  'AGENTS.md',
  'about-agents',
  'the rules that keep money safe, each with the wrong and the right',
)
writeFileSync(
  `${site}/llms.txt`,
  `# merchant-gateway\n\n> ${summary}\n\n## Read first\n\n${rules}\n${entry('README.md', 'about-readme', 'the first payin, and a payout that is paid once')}\n${lines.join('\n')}\n`,
)
