import { decoded } from '../input/decoded.js'

const customerFields = /account|name|mail|phone|secret|address|iban|token|password/i
const nameFields = /name/i
/** Also where the customer returns to, which may say who it is. */
const urlFields = /url/i
const deepest = 8

/**
 * The texts of a request body that no error may show: account, name and e-mail address, also in lists; each
 * word of a name, since a family name alone says enough; and URLs, of which one may hold a MAC.
 */
export function secretsIn(body: unknown): string[] {
  const found: string[] = []
  const visit = (node: unknown, field: string, depth: number): void => {
    if (typeof node === 'string') {
      if (urlFields.test(field)) found.push(...partsOfUrl(node))
      else if (customerFields.test(field)) found.push(node)
      if (nameFields.test(field)) found.push(...wordsOf(node))
    } else if (depth < deepest && typeof node === 'object' && node !== null) {
      const inList = Array.isArray(node)
      for (const [key, child] of Object.entries(node)) visit(child, inList ? field : key, depth + 1)
    }
  }
  visit(body, '', 0)
  return found
}

/** As many words as a name may have. */
const nameCharacters = 300

function wordsOf(name: string): string[] {
  const words = name.slice(0, nameCharacters).split(/[^\p{L}\p{M}\p{N}]+/u)
  return words.filter((word) => word.length > 2 && word !== name)
}

const leastPart = 16

/** The whole URL, what follows its host, and each part that is long enough to be a MAC or a token. */
function partsOfUrl(url: string): string[] {
  const path = /^\w+:\/\/[^/?#]*(.*)/s.exec(url)?.[1] ?? ''
  const parts = [path, ...url.split(/[^\w-]+/)]
  return [url, ...parts.filter(({ length }) => length >= leastPart)]
}

/**
 * What varies in a path of the caller's own making, which may be a customer's: what a template has a name
 * for, and without one all but the first segment.
 */
export function secretsInPath(path: string, template: string | undefined): string[] {
  const names = template?.split('/')
  const isFixed = (at: number) => (names === undefined ? at < 2 : names[at]?.includes('{') === false)
  return path.split('/').flatMap((segment, at) => (isFixed(at) ? [] : [segment, decoded(segment) ?? segment]))
}
