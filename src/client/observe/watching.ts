/**
 * What is needed when somebody watches, and loaded then: the main entry is small and starts quickly
 * for those who don't.
 */

export { logEvent } from './log-lines.js'
export { WatchedCall } from './watched-call.js'
