import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/root.js'
import { ended, start } from './children.js'

/** A shell as a reader has it who copies the blocks of a page one after the other into an empty folder. */
export class Session {
  readonly #folder: string
  readonly #exports: string[] = []
  #server: ChildProcess | undefined

  readonly #strictness: string | undefined

  /** @param strictness of the sandbox that is started, where it is not what the page's command says */
  constructor(strictness?: string) {
    this.#strictness = strictness
    mkdirSync(join(root, 'coverage'), { recursive: true })
    this.#folder = mkdtempSync(join(root, 'coverage', 'session-'))
    // The package is here already, and npx would look for it in a registry.
    this.#shim('npm', 'exit 0')
    const command = (name: string) =>
      `exec '${process.execPath}' '${join(root, 'packages', name, 'dist/bin.js')}' "$@"`
    const [sandbox, cli] = [command('sandbox'), command('cli')]
    this.#shim('npx', `program=$1; shift; [ "$program" = merchant-gateway-sandbox ] && ${sandbox}; ${cli}`)
  }

  /** Runs a block; what it exports stays. */
  async run(block: string): Promise<string> {
    if (/npx merchant-gateway-sandbox(?! rehearse)/.test(block)) return this.#serve(block)
    const { stdout, stderr, code } = await ended(this.#spawn(block))
    // What a rehearsal has found is printed, and ends it with 1.
    const isFinding = code === 1 && block.includes('merchant-gateway-sandbox rehearse')
    const isNote = block.includes('payouts send')
    if ((code !== 0 && !isFinding) || (stderr !== '' && !isNote))
      throw new Error(`${block}\nended with ${code}: ${stdout}${stderr}`)
    this.#exports.push(...block.split('\n').filter((line) => line.startsWith('export ')))
    return stdout
  }

  write(name: string, program: string): void {
    writeFileSync(join(this.#folder, name), program)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end()
  }

  async end(): Promise<void> {
    const server = this.#server
    if (server !== undefined) {
      const over = ended(server)
      server.kill('SIGINT')
      await over
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Until it has printed how to end it, which is the last thing that it prints. */
  #serve(block: string): Promise<string> {
    const strictly = this.#strictness === undefined ? '' : ` --strictness ${this.#strictness}`
    const child = this.#spawn(block.replace('npx merchant-gateway-sandbox', `$&${strictly}`))
    this.#server = child
    let said = ''
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => reject(new Error(`${block}\nended with ${code}: ${said}`)))
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          said += text
          if (said.includes('Ctrl-C ends it.')) resolve(said)
        })
      }
    })
  }

  #spawn(block: string): ChildProcess {
    const script = [...this.#exports, block.startsWith('npx ') ? `exec ${block}` : block].join('\n')
    const { PATH = '' } = process.env
    const env = { PATH: `${join(this.#folder, 'bin')}:${PATH}`, TMPDIR: this.#folder }
    return start('bash', ['-euc', script], { cwd: this.#folder, env })
  }

  #shim(name: string, script: string): void {
    const file = join(this.#folder, 'bin', name)
    mkdirSync(join(this.#folder, 'bin'), { recursive: true })
    writeFileSync(file, `#!/bin/sh\n${script}\n`)
    chmodSync(file, 0o755)
  }
}
