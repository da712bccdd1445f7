import { existsSync, rmSync } from 'node:fs'
import type { GatewayProfile } from '../../client/profile/gateway-profile.js'
import { CommandFailed } from '../exit-codes.js'
import { fileProblem, writeInOnePiece } from '../files.js'

/**
 * The file of a profile while it grows: in one piece at any time. One that is there already is replaced only when all
 * was asked; until then, what was learnt stands beside it.
 */
export class ProfileFile {
  readonly #path: string
  readonly #growing: string

  constructor(path: string) {
    this.#path = path
    this.#growing = existsSync(path) ? `${path}.part` : path
  }

  /** @returns where it is. @throws {CommandFailed} naming the file. */
  keep(profile: GatewayProfile): string {
    write(this.#growing, profile)
    return this.#growing
  }

  /** The last time, when all was asked. */
  finish(profile: GatewayProfile): string {
    write(this.#path, profile)
    if (this.#growing !== this.#path) rmSync(this.#growing, { force: true })
    return this.#path
  }
}

function write(path: string, profile: GatewayProfile): void {
  try {
    writeInOnePiece(path, [`${JSON.stringify(profile, null, 2)}\n`])
  } catch (error) {
    throw new CommandFailed(`${path} ${fileProblem(error)}, so the profile is not kept.`)
  }
}
