import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach } from 'vitest'

export type Environment = Readonly<Record<string, string>>

/** Output as it comes, and who waits for what in it. */
export class Growing {
  value = ''
  #waiting: { wanted: string; resolve: (value: string) => void; reject: (error: Error) => void }[] = []

  add(chunk: string): void {
    this.value += chunk
    for (const { wanted, resolve } of this.#waiting) if (this.value.includes(wanted)) resolve(this.value)
  }

  until(wanted: string): Promise<string> {
    if (this.value.includes(wanted)) return Promise.resolve(this.value)
    return new Promise((resolve, reject) => this.#waiting.push({ wanted, resolve, reject }))
  }

  end(how: string): void {
    for (const { wanted, reject } of this.#waiting) reject(new Error(`${how}, without "${wanted}"`))
  }
}

/** Makes empty folders, for tests that run side by side. They are gone at the end of the file. */
export function temporaryFolders(): () => string {
  const made: string[] = []
  afterAll(() => {
    for (const one of made) if (existsSync(one)) rmSync(one, { recursive: true, force: true })
  })
  return () => {
    const path = mkdtempSync(join(tmpdir(), 'merchant-gateway-'))
    made.push(path)
    return path
  }
}

/** A folder for each test that runs alone, empty at its start and gone in the end. */
export function temporaryFolder(): { readonly path: string; files(): string[] } {
  const make = temporaryFolders()
  let path = ''
  beforeEach(() => {
    path = make()
  })
  return {
    get path() {
      return path
    },
    files: () => readdirSync(path),
  }
}

/** What no output may hold: keys, tokens, signatures, and the customer's account, name and e-mail address. */
export const secrets: readonly RegExp[] = [
  // A message may say how PEM begins, in quotes.
  /-----BEGIN [A-Z ]+-----(?!\\?")/,
  /(?<![\w-])eyJ[\w-]{4,}/,
  /[\w+/-]{100,}/,
  /canary/i,
  // Not as part of a longer number: references, times and fingerprints may hold any six digits.
  /000123-|(?<![0-9a-f])000123(?![0-9a-f])/,
  /0123456789/,
  /\S@\S/,
  /Jana/,
]

/** Escape sequences of a terminal. */
export const escapes = /\u001b\[/
