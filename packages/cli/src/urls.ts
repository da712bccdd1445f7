import { CommandFailed } from './exit-codes.js'

/** An address of a person's; errors don't repeat it, since it may hold a password or a signature. */
export function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CommandFailed('URL must be an http or https address, such as http://127.0.0.1:3000.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new CommandFailed('URL must not hold a user name or a password.')
  }
  return url
}

/** The address of an endpoint, below an address that may have a path of its own. */
export function urlBelow({ origin, pathname }: URL, path: string): string {
  return `${origin}${pathname.replace(/\/+$/, '')}${path}`
}
