import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { turns } from './turns.js'

setFlagsFromString('--expose-gc')
const gc: () => void = runInNewContext('gc')

/** Turns of the event loop with a collection each; no more of them once it is done. */
export async function collectGarbage(times: number, isDone = () => false): Promise<void> {
  for (let time = 0; time < times && !isDone(); time++) {
    await turns()
    gc()
  }
}
