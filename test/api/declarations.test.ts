import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { tableAfter } from '../readme/markdown.js'
import { root } from '../support/root.js'
import { type Declarations, nodesIn, readDeclarations } from './declarations.js'

const { checker, files, complaints }: Declarations = readDeclarations()
const nodes = [...nodesIn(files)]

/** Where a node stands, for a message: `client-x.d.ts: name`. */
function place(node: ts.Node): string {
  const file = node.getSourceFile()
  const line = file.getLineAndCharacterOfPosition(node.getStart()).line
  return `${file.fileName.split('/dist/')[1]}: ${file.text.split('\n')[line]?.trim()}`
}

describe('the declarations that a merchant gets', () => {
  it('name no package but undici and the OpenTelemetry API, so neither zod nor jose', () => {
    const packages = nodes
      .filter(
        (node) => ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isImportTypeNode(node),
      )
      .map((node) => {
        const from = ts.isImportTypeNode(node) ? node.argument : node.moduleSpecifier
        return from?.getText().replace(/['"]/g, '')
      })
      .filter((from) => from !== undefined && !/^(?:\.|node:)/.test(from))
    expect([...new Set(packages)].sort()).toEqual(['@opentelemetry/api', 'undici'])
  })

  it('hold no `any`', () => {
    expect(nodes.filter(({ kind }) => kind === ts.SyntaxKind.AnyKeyword).map(place)).toEqual([])
  })

  it('compile where the declarations of libraries are checked', () => {
    expect(complaints).toEqual([])
  })

  it('say something about every field and every method', () => {
    const silent = nodes.filter((node) => {
      const isMember =
        ts.isPropertySignature(node) ||
        ts.isPropertyDeclaration(node) ||
        ts.isMethodSignature(node) ||
        ts.isMethodDeclaration(node) ||
        ts.isGetAccessorDeclaration(node)
      if (!isMember || ts.isPrivateIdentifier(node.name) || isInParameter(node)) return false
      const symbol = checker.getSymbolAtLocation(node.name)
      return symbol?.getDocumentationComment(checker).length === 0
    })
    expect(silent.map(place)).toEqual([])
  })

  it('say the unit of every moment and of every duration', () => {
    const unclear = nodes.filter((node) => {
      if (!ts.isPropertySignature(node) || !ts.isIdentifier(node.name)) return false
      const name = node.name.text
      const symbol = checker.getSymbolAtLocation(node.name)
      const told = ts.displayPartsToString(symbol?.getDocumentationComment(checker))
      const isMoment = /^at$|At$/.test(name) && node.type?.getText() !== 'Date'
      if (isMoment) return !/ISO 8601|since 1970/.test(told)
      const isDuration = node.type?.kind === ts.SyntaxKind.NumberKeyword && /\b(?:milli)?seconds\b/.test(told)
      return isDuration && !/^ms$|(?:Ms|Secs)$/.test(name)
    })
    expect(unclear.map(place)).toEqual([])
  })

  it('say something about everything that is exported', () => {
    const silent = files.flatMap((file) => {
      const symbol = checker.getSymbolAtLocation(file)
      const exported = symbol === undefined ? [] : checker.getExportsOfModule(symbol)
      return exported
        .map((one) => ((one.flags & ts.SymbolFlags.Alias) === 0 ? one : checker.getAliasedSymbol(one)))
        .filter((one) => one.getDocumentationComment(checker).length === 0)
        .map(({ name }) => name)
    })
    expect([...new Set(silent)]).toEqual([])
  })

  it('never write an open enum so that editors forget the known values', () => {
    const swallowed = nodes.filter(
      (node) =>
        ts.isUnionTypeNode(node) &&
        node.types.some(({ kind }) => kind === ts.SyntaxKind.StringKeyword) &&
        node.types.some((one) => ts.isLiteralTypeNode(one) && ts.isStringLiteral(one.literal)),
    )
    expect(swallowed.map(place)).toEqual([])
  })

  it('give an example of everything that is called', () => {
    const without = nodes
      .filter((node) => ts.isFunctionDeclaration(node) || isMethodOfClass(node))
      .filter((node) => {
        const symbol = node.name === undefined ? undefined : checker.getSymbolAtLocation(node.name)
        return symbol?.getJsDocTags(checker).every(({ name }) => name !== 'example')
      })
    expect(without.map(place)).toEqual([])
  })
})

it('what is deprecated is in the table of docs/versions.md, with its way out', () => {
  const deprecated = nodes.flatMap((node) => {
    const isMarked = ts.isPropertySignature(node) && ts.getJSDocDeprecatedTag(node) !== undefined
    return isMarked ? node.name.getText() : []
  })
  const page = readFileSync(join(root, 'docs/versions.md'), 'utf8')
  const rows = tableAfter(page, '## Deprecations').map(([name]) => name.replaceAll('`', ''))
  expect(rows).toEqual([...new Set(deprecated)])
})

/** What stands in a type of a parameter is told by the comment of the function. */
function isInParameter(node: ts.Node): boolean {
  return ts.findAncestor(node, ts.isParameter) !== undefined
}

/** Those that an example is for: not what prints or ends an object, nor what errors and stores hold. */
function isMethodOfClass(node: ts.Node): node is ts.MethodDeclaration {
  if (!ts.isMethodDeclaration(node) || !ts.isIdentifier(node.name)) return false
  const holder = ts.isClassDeclaration(node.parent) ? node.parent.name?.text : undefined
  const isCalled = !['toJSON', 'toString', 'reveal'].includes(node.name.text)
  return isCalled && holder !== 'MemoryDedupeStore'
}
