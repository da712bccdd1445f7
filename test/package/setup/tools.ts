import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentOfNpm, run } from './run.js'

const folder = fileURLToPath(new URL('../', import.meta.url))
const lockFile = join(folder, 'package-lock.json')
/** What npm writes at the end of an installation: a copy of the lock file, without what was left out. */
const marker = join(folder, 'node_modules/.package-lock.json')

/** A program that runs JavaScript, as the README names it. */
export interface Runtime {
  readonly name: string
  /** The program and what stands in front of the file. */
  readonly command: readonly [string, ...string[]]
}

const tool = (path: string) => join(folder, 'node_modules', path)
const platform = `${process.platform}-${process.arch}`
const node = (name: string, major: number): Runtime => ({
  name,
  command: [tool(`node-${major}-${platform}/bin/node`)],
})

export const oldestNode = node('Node 20.19', 20)
export const nodes = [oldestNode, node('Node 22', 22), node('Node 24', 24), node('Node 26', 26)]
export const runtimes: readonly Runtime[] = [
  ...nodes,
  { name: 'Bun 1.4', command: [tool(`bun-${platform}/bin/bun`)] },
  { name: 'Deno 2.9', command: [tool(`deno-${platform}/deno`), 'run', '--allow-all'] },
]

export const compilers = ['5.4', '5.9', '6', '7'] as const
export type Compiler = (typeof compilers)[number]
export const compilerPath = (version: Compiler) => tool(`typescript-${version}/bin/tsc`)

/** Versions of @types/node: of the oldest Node that is supported, and of the newest. */
export type TypesOfNode = '20' | '26'
export const typesPath = (version: TypesOfNode) =>
  tool(version === '20' ? '@types/node' : `@types/node-${version}`)

/** Installs what test/package/package.json names where they are missing or others than the lock file says. */
export async function installTools(): Promise<void> {
  if (platform !== 'linux-x64' && platform !== 'linux-arm64') {
    throw new Error(`npm run test:package has runtimes for Linux on x64 and arm64, not for ${platform}.`)
  }
  if (areCurrent()) return
  console.info(
    'test/package: installing four Nodes, Bun, Deno, four TypeScripts and frameworks (about 1.2 GB) …',
  )
  // Their install scripts only move binaries, which are found where npm has put them.
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
  const { code, stderr } = await run(['npm', 'ci', ...options], {
    cwd: folder,
    env: environmentOfNpm,
    timeoutMs: 600_000,
  })
  if (code !== 0) throw new Error(`npm ci in test/package ended with ${code}:\n${stderr}`)
  const missing = runtimes.filter(({ command: [file] }) => !existsSync(file)).map(({ name }) => name)
  if (missing.length > 0) throw new Error(`npm ci in test/package brought no ${missing.join(', ')}.`)
}

function areCurrent(): boolean {
  if (!existsSync(marker) || runtimes.some(({ command: [file] }) => !existsSync(file))) return false
  const installed = packagesOf(marker)
  // What is optional may be for another platform.
  return Object.entries(packagesOf(lockFile)).every(([path, { integrity, optional = false }]) => {
    const there = installed[path]
    return path === '' || (there === undefined ? optional : there.integrity === integrity)
  })
}

interface Locked {
  readonly integrity?: string
  readonly optional?: boolean
}

function packagesOf(file: string): Record<string, Locked> {
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(file, 'utf8'))
  return lock.packages
}
