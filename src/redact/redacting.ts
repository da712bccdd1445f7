/**
 * What is needed when an answer is to be shown, and loaded with the first request: the main entry is small,
 * and starts quickly.
 */

export { hiding } from './hide.js'
export { bodyStart, gatewayMessage } from './said.js'
export { secretsIn, secretsInPath } from './secrets.js'
