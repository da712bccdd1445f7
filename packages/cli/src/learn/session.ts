import { type Answer, isSuccess, type Question, type Reply } from '../answer.js'
import type { Environment } from '../io.js'
import type { Asker } from './asker.js'
import { tokenCandidates } from './find-token.js'
import type { ProfileDraft } from './profile-draft.js'
import { type Grant, type TokenStyle, tokenRequest } from './token-request.js'

/** Where a token stands in the answer to a token request. */
interface TokenPlace {
  readonly format: 'json' | 'json-string' | 'text'
  readonly field?: string
}

/** What is known of the gateway by which it can be asked further. */
export interface Session {
  readonly env: Environment
  readonly asker: Asker
  readonly draft: ProfileDraft
}

/** A session that can get tokens. */
export interface SignedSession extends Session {
  readonly style: TokenStyle
  readonly place: TokenPlace
}

/** A token, or the reply that has none. */
export type Minted = { readonly token: string; readonly answer: Answer } | { readonly reply: Reply }

/** Asks for a token. */
export async function mint(
  { env, asker, draft, style, place }: SignedSession,
  grant: Grant,
): Promise<Minted> {
  const reply = await asker.ask(await tokenRequest(env, style, grant))
  if (!isSuccess(reply)) return { reply }
  const found = tokenCandidates(reply.body).find(
    ({ format, field }) => format === place.format && field === place.field,
  )
  if (found === undefined) return { reply }
  draft.hideTexts(found.token)
  return { token: found.token, answer: reply }
}

export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` }
}

export function get(path: string, token?: string): Question {
  return { method: 'GET', path, ...(token === undefined ? {} : { headers: bearer(token) }) }
}

/** @param body a text goes out as it is. */
export function post(path: string, token: string, body: unknown): Question {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...bearer(token) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** A token that is renewed before it ends. */
export type KeptToken = () => Promise<string>

/** @returns the reply that refused it in place of a token. */
export async function keptToken(session: SignedSession, grant: Grant): Promise<KeptToken | Reply> {
  const halfLifeMs = (session.style.validitySecs * 1000) / 2
  const first = await mint(session, grant)
  if (!('token' in first)) return first.reply
  let { token } = first
  let goodUntil = performance.now() + halfLifeMs
  return async () => {
    if (performance.now() < goodUntil) return token
    const minted = await mint(session, grant)
    if ('token' in minted) {
      token = minted.token
      goodUntil = performance.now() + halfLifeMs
    }
    return token
  }
}
