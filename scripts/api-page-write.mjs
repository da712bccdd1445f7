// The text of api.md, from what api-page-read.mjs has read.

/** The whole page. */
export function pageOf(entries) {
  const [main] = entries
  const client = main.exports.find(({ name }) => name === 'GatewayClient')
  const isError = (one) =>
    one.kind === 'class' && (one.base.includes('GatewayError') || one.name === 'GatewayError')
  const sections = entries.map((entry) => {
    const rest = entry.exports.filter((one) => !isError(one) && !resourceOf(client, one) && one !== client)
    return { entry, rest }
  })
  const links = linksOf(main, client, sections)
  const lines = [
    '# Every method and every type',
    '',
    'Written by `npm run api` from the sources; do not edit. Names lead to their types on this page, and *source* to the file. Every failure is one of the [errors](#errors).',
    '',
  ]
  for (const { entry, rest } of sections) {
    const show = (type) => typeText(type, links.get(entry), links.get(main))
    lines.push(`## \`${entry.name}\``, '', entry.summary, '')
    if (entry === main) {
      lines.push(...clientPart(client, show), ...resourceParts(client, main, show))
      lines.push(...errorPart(main.exports.filter(isError)))
    }
    const functions = rest.filter(({ kind }) => kind === 'function')
    if (functions.length > 0) lines.push(...functionPart(functions, show))
    for (const one of rest.filter(({ kind }) => kind !== 'function')) lines.push(...exportPart(one, show))
  }
  return `${lines.join('\n').trim()}\n`
}

/** The field of the client that holds a class: `payins` for `Payins`. */
function resourceOf(client, one) {
  return one.kind === 'class' ? client.fields.find(({ type }) => type === one.name)?.name : undefined
}

function clientPart(client, show) {
  const made = [
    { ...client.constructed, result: client.name, text: client.text },
    ...client.methods
      .filter(({ isStatic }) => isStatic)
      .map((one) => ({ ...one, call: `${client.name}.${one.call}` })),
  ]
  const own = client.methods.filter(({ isStatic }) => !isStatic)
  return [
    '### The client',
    '',
    source(client),
    '',
    ...methodTable([...made, ...own.map((one) => ({ ...one, call: `client.${one.call}` }))], show),
  ]
}

function resourceParts(client, main, show) {
  return client.fields.flatMap(({ name, type }) => {
    const resource = main.exports.find((one) => one.name === type)
    if (resource === undefined) return []
    const methods = resource.methods.map((one) => ({ ...one, call: `client.${name}.${one.call}` }))
    return [
      `### client.${name}`,
      '',
      `${resource.text} ${source(resource)}`,
      '',
      ...methodTable(methods, show, true),
    ]
  })
}

function methodTable(methods, show, withRoute = false) {
  const rows = methods.map(({ call, route, parameters, result, text }) => {
    const takes = parameters.map((one) => show(one.type)).join(', ') || '–'
    const cells = [`\`${call}\``, takes, show(awaited(result)), cell(firstSentence(text))]
    return withRoute ? [cells[0], route === undefined ? '–' : `\`${route}\``, ...cells.slice(1)] : cells
  })
  const head = withRoute ? ['call', 'sends', 'takes', 'gives', ''] : ['call', 'takes', 'gives', '']
  return table(head, rows)
}

function errorPart(errors) {
  const rows = errors
    .filter(({ code }) => code !== undefined)
    .map(({ name, code, text }) => [`\`${code}\``, `\`${name}\``, cell(text)])
  return ['### Errors', '', source(errors[0]), '', ...table(['code', 'class', ''], rows)]
}

function functionPart(functions, show) {
  const rows = functions.map(({ signature: { call, parameters, result }, text, file }) => [
    `[\`${call}\`](${file})`,
    parameters.map((one) => show(one.type)).join(', ') || '–',
    show(awaited(result)),
    cell(firstSentence(text)),
  ])
  return ['### Functions', '', ...table(['call', 'takes', 'gives', ''], rows)]
}

function exportPart(one, show) {
  const lines = [`### ${one.name}`, '', `${one.text} ${source(one)}`, '']
  if (one.kind === 'alias') return [...lines, '```ts', one.code, '```', '']
  if (one.kind === 'value') return [...lines, `Type: ${show(one.type).replaceAll('\\|', '|')}`, '']
  if (one.base.length > 0) lines.push(`Has all that ${one.base.map(show).join(' and ')} has.`, '')
  const fields = one.fields.map(({ name, isOptional, type, text }) => [
    `\`${name}${isOptional ? '?' : ''}\``,
    show(type),
    cell(text),
  ])
  if (fields.length > 0) lines.push(...table(['field', 'type', ''], fields))
  const made = one.constructed === undefined ? [] : [{ ...one.constructed, result: one.name }]
  const methods = [...made, ...one.methods]
  return methods.length === 0 ? lines : [...lines, ...methodTable(methods, show)]
}

/** Where each name of each entry stands on the page, by the anchors that GitHub gives to headings. */
function linksOf(main, client, sections) {
  const taken = new Map()
  const anchor = (heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-')
    const count = taken.get(slug) ?? 0
    taken.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
  const links = new Map()
  for (const { entry, rest } of sections) {
    const names = new Map()
    links.set(entry, names)
    anchor(entry.name)
    if (entry === main) {
      names.set(client.name, anchor('The client'))
      for (const { name, type } of client.fields) names.set(type, anchor(`client.${name}`))
      const errors = anchor('Errors')
      for (const { name, kind } of main.exports)
        if (kind === 'class' && /Error$/.test(name)) names.set(name, errors)
    }
    if (rest.some(({ kind }) => kind === 'function')) anchor('Functions')
    for (const { kind, name } of rest) if (kind !== 'function') names.set(name, anchor(name))
  }
  return links
}

/** A type as code, with the names that are on the page as links. */
function typeText(type, ...scopes) {
  return type
    .split(/('[^']*'|\b[A-Z]\w*\b)/)
    .map((part) => {
      const anchor = scopes.map((names) => names.get(part)).find((one) => one !== undefined)
      if (anchor !== undefined) return `[\`${part}\`](#${anchor})`
      return { code: part }
    })
    .reduce(joinCode, [])
    .map((part) => (typeof part === 'string' ? part : codeText(part.code)))
    .join('')
}

function joinCode(parts, part) {
  const last = parts.at(-1)
  if (typeof part === 'string' || typeof last !== 'object')
    parts.push(typeof part === 'string' ? part : { ...part })
  else last.code += part.code
  return parts
}

/** Blanks at the ends stay outside of the code, where they are seen. */
function codeText(code) {
  const [, before, middle, after] = /^(\s*(?:\| )?)([\s\S]*?)((?: \|)?\s*)$/.exec(code)
  const outside = (text) => text.replaceAll('|', '\\|')
  return outside(before) + (middle === '' ? '' : `\`${outside(middle)}\``) + outside(after)
}

function awaited(type) {
  return /^Promise<([\s\S]*)>$/.exec(type)?.[1] ?? type
}

function firstSentence(text) {
  return /^[\s\S]*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}

function cell(text) {
  return text.replaceAll('|', '\\|')
}

function source({ file }) {
  return `([source](${file}))`
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line), '']
}
