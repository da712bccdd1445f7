import { readFileSync } from 'node:fs'

/** A key that was made for tests and guards nothing. */
export const privatePem = readFileSync(new URL('../vectors/rsa2048.pkcs8.pem', import.meta.url), 'utf8')
