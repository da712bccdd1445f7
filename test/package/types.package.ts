import { tmpdir } from 'node:os'
import { describe, expect, inject, test } from 'vitest'
import { project } from './setup/project.js'
import { run } from './setup/run.js'
import { type Compiler, compilerPath, compilers, type TypesOfNode, typesPath } from './setup/tools.js'

const sources = ['payin.ts', 'main.ts', 'received.ts']
/** What stands beside each tsconfig when it is compiled. */
const projects: Readonly<Record<string, readonly string[]>> = {
  nodenext: [...sources, 'observed.ts', 'typed-require.cts'],
  node16: [...sources, 'observed.ts', 'typed-require.cts'],
  bundler: [...sources, 'observed.ts'],
  // Before TypeScript 6 it reads `typesVersions` in place of `exports`.
  commonjs: [...sources, 'observed.ts'],
  'without-opentelemetry': sources,
}

/** The types of Node 26 themselves want TypeScript 5.6 and newer. */
const typesFor: Readonly<Record<Compiler, TypesOfNode>> = { '5.4': '20', '5.9': '20', '6': '26', '7': '26' }

/** A project beside what is installed, ready for a compiler. */
function projectFor(compiler: Compiler, name: string, files: readonly string[]): Promise<string> {
  return project(`typescript/${name}`, {
    installed: inject(name === 'without-opentelemetry' ? 'installedUnobserved' : 'installed'),
    as: `${name}-${compiler}`,
    files: files.map((file) => `typescript/${file}`),
    packages: { '@types/node': typesPath(typesFor[compiler]) },
  })
}

// Half a minute of computing for each compiler, which a machine that does more besides stretches.
describe.concurrent('every TypeScript project compiles without skipLibCheck, and runs', {
  timeout: 300_000,
}, () => {
  test.for(compilers)('TypeScript %s', async (compiler) => {
    const folders = await Promise.all(
      Object.entries(projects).map(([name, files]) => projectFor(compiler, name, files)),
    )
    // One process for all of them, which reads what they share once.
    const compiled = await run([process.execPath, compilerPath(compiler), '-b', ...folders], {
      cwd: tmpdir(),
      timeoutMs: 280_000,
    })
    expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' })
    for (const cwd of folders) {
      const finished = await run([process.execPath, 'out/main.js'], { cwd })
      expect(finished, cwd).toEqual({ code: 0, stdout: 'SUCCESS\n', stderr: '' })
    }
  })
})
