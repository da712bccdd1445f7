/** The endpoints whose answers a rehearsal can change, by the path that was asked. */
const endpoints = [
  [/\/payins\/[^/!]+$/, '/payins/{idPayin}'],
  [/\/payouts\/[^/]+$/, '/payouts/{idPayout}'],
  [/\/auth-tokens$/, '/auth-tokens'],
  [/\/auth-tokens-by-action$/, '/auth-tokens-by-action'],
] as const

/** A link from a step of a history to what could have gone wrong there. */
export function WhatIf({ method, path }: { method: string; path: string }) {
  const plain = path.replace(/[?#].*$/s, '')
  const found = endpoints.find(([pattern]) => pattern.test(plain))
  if (found === undefined) return null
  return <Link of="answer" route={`${method} ${found[1]}`} what="this answer" />
}

export function WhatIfCallback() {
  return <Link of="callback" what="this callback" />
}

function Link({ of, route, what }: { of: string; route?: string; what: string }) {
  const query = new URLSearchParams({ of, ...(route === undefined ? {} : { route }) })
  return (
    <a class="fine" href={`#/rehearse?${query}`} aria-label={`What if ${what} had gone wrong?`}>
      What if…
    </a>
  )
}
