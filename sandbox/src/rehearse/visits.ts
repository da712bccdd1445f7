import { limited } from '../../../src/client/input/limit.js'
import { hostOf } from './act-text.js'
import { answerTo } from './answer-to.js'
import { actByHttp } from './http.js'
import type { Scene } from './scene.js'

/** The customer acts once more and looks at the status, while the callback is on its way. */
export async function visit(scene: Scene): Promise<void> {
  const { application, patienceMs, signal } = scene.context
  const { cart } = scene.part
  scene.note('customer', `comes back, and orders cart ${cart} again`)
  await limited({ signals: [signal], ms: patienceMs }, async (ends) => {
    await Promise.allSettled([application.act(cart, ends), scene.ask(), scene.ask()])
  })
}

/** The customer comes back to the shop without having paid; returns why nobody could. */
export async function comeBack(scene: Scene): Promise<string | undefined> {
  const url = scene.activity.returnUrl
  if (url === undefined) return 'the create names no returnUrl'
  // A rehearsal stays on this machine.
  if (hostOf(url) === undefined) return 'the returnUrl leads to another machine'
  const visited = { method: 'GET', url, body: undefined }
  const { patienceMs, signal } = scene.context
  const visitPage = (ends: AbortSignal) => actByHttp(visited, scene.part.cart, ends)
  const { says } = await answerTo(visitPage, patienceMs, signal)
  scene.note('customer', `comes back by the returnUrl without having paid: ${says}`)
  return undefined
}
