import { describe, expect, inject, test } from 'vitest'
import { project } from './setup/project.js'
import { run } from './setup/run.js'
import { type Compiler, compilerPath, compilers, type TypesOfNode, typesPath } from './setup/tools.js'

interface Case {
  readonly name: string
  readonly compiler: Compiler
  readonly types: TypesOfNode
  readonly sources: readonly string[]
}

const sources = ['payin.ts', 'main.ts', 'received.ts']
/** What stands beside each tsconfig when it is compiled. */
const projects: Readonly<Record<string, readonly string[]>> = {
  nodenext: [...sources, 'observed.ts', 'typed-require.cts'],
  node16: [...sources, 'observed.ts', 'typed-require.cts'],
  bundler: [...sources, 'observed.ts'],
  commonjs: [...sources, 'observed.ts'],
  'without-opentelemetry': sources,
}
/** `module: commonjs` of a compiler before 6 reads no `exports`: it finds the main entry alone. */
const mainEntry = ['payin.ts', 'main.ts']
const readsNoExports = (name: string, compiler: Compiler) => name === 'commonjs' && compiler.startsWith('5.')

/** The types of Node 26 themselves want TypeScript 5.6 and newer. */
const typesFor: Readonly<Record<Compiler, TypesOfNode>> = { '5.4': '20', '5.9': '20', '6': '26', '7': '26' }

const cases: readonly Case[] = Object.entries(projects).flatMap(([name, files]) =>
  compilers.map((compiler) => ({
    name,
    compiler,
    types: typesFor[compiler],
    sources: readsNoExports(name, compiler) ? mainEntry : files,
  })),
)

describe.concurrent('a TypeScript project compiles without skipLibCheck, and runs', () => {
  test.for(cases)('$name, TypeScript $compiler, types of Node $types', async (one) => {
    const { name, compiler, types } = one
    const installed = inject(name === 'without-opentelemetry' ? 'installedUnobserved' : 'installed')
    const cwd = await project(`typescript/${name}`, {
      installed,
      as: `${name}-${compiler}`,
      files: one.sources.map((file) => `typescript/${file}`),
      packages: { '@types/node': typesPath(types) },
    })
    const compiled = await run([process.execPath, compilerPath(compiler), '-p', '.'], { cwd })
    expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' })
    const finished = await run([process.execPath, 'out/main.js'], { cwd })
    expect(finished).toEqual({ code: 0, stdout: 'SUCCESS\n', stderr: '' })
  })
})
