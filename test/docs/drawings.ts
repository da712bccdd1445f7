import type { SandboxRequest } from '../../packages/sandbox/src/index.js'

/** A heading of the third order with the drawing that follows it. */
export interface Drawing {
  readonly heading: string
  readonly lines: readonly string[]
}

export function drawingsOf(markdown: string): Drawing[] {
  return markdown.split(/^#{2,3} /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'))
    const drawn = /```mermaid\n([\s\S]*?)\n```/.exec(section)?.[1]
    return drawn === undefined ? [] : { heading, lines: drawn.split('\n').map((line) => line.trim()) }
  })
}

/** The few forms of Mermaid that the drawings keep to, so that every renderer shows them. */
export const drawable = [
  /^sequenceDiagram$/,
  /^participant [A-Z] as [\w ]+$/,
  /^[A-Z](?:->>|-->>|-x|--x)[A-Z]: [^;#]+$/,
  /^Note over [A-Z](?:,[A-Z])?: [^;#]+$/,
]

/** The requests to the gateway as they are drawn, each with how it ended. */
export function drawnRequests({ lines }: Drawing): string[] {
  const requests: { from: string; what: string }[] = []
  for (const line of lines) {
    const [, from = '', arrow = '', to = '', text = ''] =
      /^([A-Z])(-?-(?:>>|x))([A-Z]): (.*)$/.exec(line) ?? []
    if (to === 'G') {
      const method = text.split(' ')[0] ?? ''
      requests.push({ from, what: arrow === '-x' ? `${method} never arrived` : method })
    } else if (from === 'G') {
      const asked = requests.find((request) => request.from === to && /^[A-Z]+$/.test(request.what))
      if (asked !== undefined) asked.what += arrow === '--x' ? ' answer lost' : ` ${text}`
    }
  }
  return requests.map(({ what }) => what)
}

/** The same of what the sandbox saw. */
export function seenRequests(requests: readonly SandboxRequest[], idPayout: string): string[] {
  return requests
    .filter((request) => request.idPayout === idPayout)
    .map(({ method, status, fault }) => {
      if (fault === 'drop-before') return `${method} never arrived`
      return fault === undefined ? `${method} ${status}` : `${method} answer lost`
    })
}
