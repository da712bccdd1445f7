import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

const at = (path: string) => new URL(`../../${path}`, import.meta.url).pathname

/** The command as a program of its own, made from sources in a folder that every user can read. */
export async function commandFromSources() {
  const folder = mkdtempSync(join(tmpdir(), 'signer-command-'))
  mkdirSync(join(folder, 'dist'))
  copyFileSync(at('package.json'), join(folder, 'package.json'))
  const file = join(folder, 'dist/bin.js')
  await build({
    entryPoints: [at('src/bin.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    alias: { 'merchant-gateway': at('../../src/index.ts') },
    // Loaded at a first request, which a signer never sends.
    external: ['undici'],
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'\nconst require = requireFor(import.meta.url)",
    },
    logLevel: 'silent',
  })
  return { folder, file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A program under way, and what it has said. */
export class Running {
  readonly child
  stdout = ''
  stderr = ''
  readonly #ended: Promise<unknown>

  constructor(
    file: string,
    args: readonly string[],
    options: { env?: Record<string, string>; uid?: number } = {},
  ) {
    const { env = {}, uid } = options
    const [program, ...before] = uid === undefined && file.endsWith('.js') ? [process.execPath, file] : [file]
    this.child = spawn(program ?? file, [...before, ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      ...(uid === undefined ? {} : { uid }),
    })
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => (this.stdout += chunk))
    this.child.stderr.setEncoding('utf8').on('data', (chunk: string) => (this.stderr += chunk))
    this.#ended = once(this.child, 'close')
  }

  /** When it listens. */
  async listening(): Promise<this> {
    while (!this.stdout.includes('log: ')) {
      await Promise.race([once(this.child.stdout, 'data'), this.#ended.then(() => this.#fail())])
    }
    return this
  }

  #fail(): never {
    throw new Error(`it ended: ${this.stderr}`)
  }

  async finished(): Promise<{
    readonly code: number | null
    readonly stdout: string
    readonly stderr: string
  }> {
    await this.#ended
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr }
  }

  end(signal: NodeJS.Signals): ReturnType<Running['finished']> {
    this.child.kill(signal)
    return this.finished()
  }
}
