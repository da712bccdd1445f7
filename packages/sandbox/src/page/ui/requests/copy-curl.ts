import { escapePattern, visible } from '../../../common/text.js'
import { bodyOf, type Copied, type CopyPlace, hasMasks, masked } from './copy-text.js'

const VALIDITY_SECS = 60
const headers = ["-H 'Accept: application/json'", "-H 'X-API-Version: 2'"]
const jsonHeader = "-H 'Content-Type: application/json'"
const keyNote = '# GATEWAY_PRIVATE_KEY_FILE is the file of the private key.'

/** The request by curl and openssl, after the commands that make its token. */
export function asCurl(request: Copied, { baseUrl, basePath, ...place }: CopyPlace): string {
  const { method, path, body: text } = request
  const url = baseUrl + path.slice(basePath.length)
  const [endpoint = ''] = path.slice(basePath.length).split('?')
  const body = bodyOf(text)
  if (/^\/auth-tokens(?:-by-action)?$/.test(endpoint)) {
    const { timestamp: _, secret: __, ...fields } = body ?? {}
    return [
      keyNote,
      ...signed(fields, place),
      send(method, url, '-i', '-H "X-SIGNATURE: $SIGNATURE"', '"$BODY"'),
    ].join('\n')
  }
  const { merchantCode } = place
  const operations = [`${method} ${escapePattern(endpoint)}`]
  const token = send('POST', `${baseUrl}/auth-tokens`, '-s', '-H "X-SIGNATURE: $SIGNATURE"', '"$BODY"')
  const content = body === undefined ? undefined : quoted(visible(JSON.stringify(body)))
  return [
    keyNote,
    ...signed({ merchantCode, operations, validitySecs: VALIDITY_SECS }, place),
    `TOKEN=$(${token} | grep -o 'eyJ[A-Za-z0-9_.-]*')`,
    ...(hasMasks(request) ? [`# ${masked}`] : []),
    send(method, url, '-i', '-H "Authorization: Bearer $TOKEN"', content),
  ].join('\n')
}

/** The body with the time of now in it, and its signature. */
function signed(fields: object, { timestampUnit }: Pick<CopyPlace, 'timestampUnit'>): string[] {
  const open = visible(JSON.stringify({ ...fields, timestamp: 0 })).replace(/0\}$/, '')
  const now = timestampUnit === 'seconds' ? '$(date +%s)' : '$(date +%s)000'
  return [
    `BODY=${quoted(open)}${now}'}'`,
    'SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -sign "$GATEWAY_PRIVATE_KEY_FILE" | openssl base64 -A)',
  ]
}

function send(method: string, url: string, how: string, header: string, content?: string): string {
  const body = content === undefined ? [] : [jsonHeader, `--data-binary ${content}`]
  // curl gives a meaning to brackets and braces, and takes dots out of a path.
  const asItIs = /[[\]{}]|\/\.{1,2}(?:[/?#]|$)/.test(url) ? ['--globoff --path-as-is'] : []
  return `curl ${how} -X ${quoted(method)} ${quoted(url)} \\\n  ${[...asItIs, ...headers, header, ...body].join(' \\\n  ')}`
}

/** In single quotes, as every shell takes it. */
function quoted(text: string): string {
  return /^[A-Z]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
