import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, context } from '@opentelemetry/api'

/**
 * Where the SDK keeps the active context, for a channel to bind: the API has no public name for it that a subscriber can
 * use. Where another SDK keeps it elsewhere, spans still have their parents, but are not active inside.
 */
export function storageOfContexts(): AsyncLocalStorage<Context> {
  const getManager: unknown = Reflect.get(context, '_getContextManager')
  const manager: unknown = typeof getManager === 'function' ? getManager.call(context) : undefined
  const storage: unknown =
    typeof manager === 'object' && manager !== null ? Reflect.get(manager, '_asyncLocalStorage') : undefined
  return storage instanceof AsyncLocalStorage ? storage : new AsyncLocalStorage()
}
