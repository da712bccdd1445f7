import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { environmentOfNpm, run } from './run.js'
import { compilerPath, installTools } from './tools.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The packed tarball of the root package. */
    tarball: string
    /** Those of the other packages. */
    sandboxTarball: string
    cliTarball: string
    signerTarball: string
    /** A folder in which npm has installed the four, beside the OpenTelemetry API. */
    installed: string
    /** The same without the OpenTelemetry API. */
    installedUnobserved: string
    /** One with the root package alone. */
    installedAlone: string
  }
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** The oldest that the manifest allows beside the package. */
const openTelemetry = '@opentelemetry/api@1.9.0'

/** Packs once what was built, and installs it once with and once without its optional peer. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(join(root, 'dist/index.js')))
    throw new Error('There is no dist; run "npm run build" first.')
  await installTools()
  await checkTypes()
  const work = await mkdtemp(join(tmpdir(), 'merchant-gateway-package-'))
  const remove = () => rm(work, { recursive: true, force: true })
  try {
    const packed = await run([process.execPath, 'scripts/pack.mjs', work], { cwd: root, timeoutMs: 120_000 })
    if (packed.code !== 0) throw new Error(`The packages could not be packed:\n${packed.stderr}`)
    const [tarball = '', sandbox = '', cli = '', signer = ''] = packed.stdout.trim().split('\n')
    provide('tarball', tarball)
    provide('sandboxTarball', sandbox)
    provide('cliTarball', cli)
    provide('signerTarball', signer)
    const four = [tarball, sandbox, cli, signer]
    provide('installed', await install(join(work, 'observed'), ...four, openTelemetry))
    provide('installedUnobserved', await install(join(work, 'unobserved'), ...four))
    provide('installedAlone', await install(join(work, 'alone'), tarball))
  } catch (error) {
    await remove()
    throw error
  }
  return remove
}

/** What this folder installs is nowhere else, so that `npm run types` leaves the tests over it to this. */
async function checkTypes(): Promise<void> {
  const compiler = [process.execPath, compilerPath('7'), '-p', 'test/package']
  const { code, stdout } = await run(compiler, { cwd: root, timeoutMs: 300_000 })
  if (code !== 0) throw new Error(`The types of test/package are wrong:\n${stdout}`)
}

async function install(folder: string, ...packages: readonly string[]): Promise<string> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await npm(folder, 'install', '--no-audit', '--no-fund', ...packages)
  return folder
}

async function npm(cwd: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(['npm', ...args], {
    cwd,
    env: environmentOfNpm,
    timeoutMs: 120_000,
  })
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}:\n${stderr}`)
  return stdout
}
