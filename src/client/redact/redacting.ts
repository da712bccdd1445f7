/**
 * What is needed when an answer is to be shown, and loaded with the first request: the main entry is small,
 * and starts quickly.
 */

export { cleanCause } from './clean-cause.js'
export { bodyStart, gatewayMessage } from './gateway-text.js'
export { hiding } from './hide.js'
export { secretsIn, secretsInPath } from './secrets.js'
export { shownHeaders } from './shown-headers.js'
