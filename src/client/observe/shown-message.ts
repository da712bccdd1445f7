import type { ObservedCall } from './events.js'

/**
 * What logs and traces say of an error. The message of a `request()` begins with the caller's own path, which
 * may hold what is a customer's; and nobody knows what the message of an error that is not ours holds.
 */
export function shownMessage(
  { message, name: kind }: Error,
  isOurs: boolean,
  { name, method, pathTemplate }: ObservedCall,
): string {
  if (!isOurs) return `an unexpected ${kind}, which the caller has got`
  // A request for the token says which it was itself.
  if (name !== 'request' || /^POST \/auth-tokens(?:-by-action)?: /.test(message)) return message
  return message.replace(/^[A-Z]+ \S+(?=: )/, () => `${method} ${pathTemplate}`)
}
