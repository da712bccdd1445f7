// The entry of the bundle: what `run.mjs`, the tests and the mutants use of the simulation.
export { makePlan } from './make-plan.js'
export { play } from './play.js'
export { storyOf, tell } from './story.js'
export { realNow } from './world/virtual-time.js'
