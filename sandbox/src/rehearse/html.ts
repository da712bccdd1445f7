import { exportedText } from './exported-text.js'
import type { Result } from './rehearsal.js'
import { countsOf, type Report, sinceStart } from './report.js'
import { leftOut } from './shell-words.js'

/**
 * A rehearsal as one HTML file for a bug report: it loads nothing, runs nothing, and holds no secret, no account
 * and no body. The history without a fault stands beside that of each case which failed.
 */
export function htmlOf({ setup, results }: Report): string {
  const [reference, ...others] = results
  const { passed, failed, skipped } = countsOf(results)
  const histories = others.filter(
    ({ verdict, history }) => verdict.outcome === 'failed' && history.length > 0,
  )
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<title>Rehearsal of an application</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<h1>Rehearsal of an application</h1>',
    `<p>Against the sandbox of merchant-gateway: ${passed} passed, ${failed} failed, ${skipped} not played.</p>`,
    ...actOf(setup.act),
    ...table(results),
    ...(histories.length === 0 && reference !== undefined ? column(reference, 'h2') : []),
    ...histories.flatMap((result) => sideBySide(result, reference)),
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/** The act is somebody else's text, and a report goes to others. */
function actOf(act: string): string[] {
  const shown = exportedText(act)
  if (shown === undefined) {
    return ['<p>What the customer does is left out, because it may hold a secret.</p>']
  }
  const note = shown.includes(leftOut) ? ' What may be a secret is left out.' : ''
  return [`<p>What the customer does:${note}</p>`, `<pre>${html(shown)}</pre>`]
}

const words = { passed: 'passed', failed: 'failed', skipped: 'not played' } as const

function table(results: readonly Result[]): string[] {
  return [
    '<table>',
    '<caption>Every case and its verdict</caption>',
    '<thead><tr><th scope="col">Case</th><th scope="col">What goes wrong</th><th scope="col">Result</th><th scope="col">Verdict</th></tr></thead>',
    '<tbody>',
    ...results.map(({ name, title, verdict: { outcome, sentence } }) => {
      const cells = [html(title), words[outcome], html(sentence)].map((cell) => `<td>${cell}</td>`).join('')
      return `<tr class="${outcome}"><th scope="row">${html(name)}</th>${cells}</tr>`
    }),
    '</tbody>',
    '</table>',
  ]
}

function sideBySide(result: Result, reference: Result | undefined): string[] {
  return [
    `<section id="${html(result.name)}">`,
    `<h2>${html(result.title)}</h2>`,
    '<div class="two">',
    ...(reference === undefined ? [] : column(reference, 'h3')),
    ...column(result, 'h3'),
    '</div>',
    '</section>',
  ]
}

function column({ title, verdict, history }: Result, heading: 'h2' | 'h3'): string[] {
  return [
    '<article>',
    `<${heading}>${html(title)}</${heading}>`,
    `<p class="${verdict.outcome}">${html(verdict.sentence)}</p>`,
    '<ol>',
    ...history.map(({ atMs, who, text }) => {
      return `<li class="${who}"><time>${sinceStart(atMs)}</time> <b>${who}</b> ${html(text)}</li>`
    }),
    '</ol>',
    '</article>',
  ]
}

const style = [
  ':root{color-scheme:light dark}',
  'body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem}',
  'pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid;padding:.5rem}',
  'table{border-collapse:collapse;width:100%}caption{text-align:left;font-weight:600}',
  'th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8886}',
  '.failed>td:nth-of-type(2),p.failed{font-weight:700}',
  '.two{display:grid;gap:2rem;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr))}',
  'ol{list-style:none;padding:0}li{overflow-wrap:anywhere;margin:.2rem 0}',
  'time{display:inline-block;min-width:4.5em;font-variant-numeric:tabular-nums}',
].join('')

const entities: Readonly<Partial<Record<string, string>>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for HTML; marks that turn the direction of what follows are made visible. */
export function html(text: string): string {
  return text
    .replaceAll(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
      '\uFFFD',
    )
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}
