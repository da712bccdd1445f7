import { GatewayClient, money } from 'merchant-gateway'
/** @type {string[]} */
const lines = []
const write = (/** @type {string} */ line) => lines.push(line)
const logger = { debug: write, info: write, warn: write, error: write }
