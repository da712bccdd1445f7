import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** What an entry exports, as its report says. */
export interface Exported {
  /** Every name. */
  readonly names: ReadonlySet<string>
  /** The functions, as `name(a, b?)`. */
  readonly functions: readonly string[]
  /** The methods of classes and interfaces by the name of their holder, as `name(a, b?)`. */
  readonly methods: ReadonlyMap<string, ReadonlySet<string>>
  /** The fields of classes and interfaces by the name of their holder: name and type. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>
}

// Those print an object, or show what it hides.
const notCalled = new Set(['toJSON', 'toString'])

export function readReport(file: string): Exported {
  const code = /```ts\n([\s\S]*)```/.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
  const source = ts.createSourceFile('report.ts', code, ts.ScriptTarget.ES2022, true)
  const names = new Set<string>()
  const functions: string[] = []
  const methods = new Map<string, Set<string>>()
  const fields = new Map<string, Map<string, string>>()
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) names.add(name.getText())
    } else if (ts.isFunctionDeclaration(statement)) {
      names.add(statement.name?.text ?? '')
      functions.push(callOf(statement))
    } else if (ts.isTypeAliasDeclaration(statement)) names.add(statement.name.text)
    else if (ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement)) {
      const holder = statement.name?.text ?? ''
      names.add(holder)
      const members: readonly ts.Node[] = statement.members
      const called = members.filter(isMethod).filter(({ name }) => isPlain(name))
      methods.set(
        holder,
        new Set(called.map((method) => (isStatic(method) ? 'static ' : '') + callOf(method))),
      )
      fields.set(
        holder,
        new Map(members.filter(isField).map(({ name, type }) => [name.getText(), type?.getText() ?? ''])),
      )
    }
  }
  return { names, functions, methods, fields }
}

function isMethod(node: ts.Node): node is ts.MethodDeclaration | ts.MethodSignature {
  return ts.isMethodDeclaration(node) || ts.isMethodSignature(node)
}

function isField(node: ts.Node): node is ts.PropertyDeclaration | ts.PropertySignature {
  return ts.isPropertyDeclaration(node) || ts.isPropertySignature(node)
}

function isPlain(name: ts.PropertyName): boolean {
  return ts.isIdentifier(name) && !notCalled.has(name.text)
}

function isStatic(node: ts.MethodDeclaration | ts.MethodSignature): boolean {
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)
}

/** `name(a, b?)`. */
function callOf({
  name,
  parameters,
}: ts.FunctionDeclaration | ts.MethodDeclaration | ts.MethodSignature): string {
  // The name of a rest parameter is the compiler's own in a report.
  const given = parameters.map(({ name: parameter, dotDotDotToken, questionToken }) =>
    dotDotDotToken === undefined ? parameter.getText() + (questionToken === undefined ? '' : '?') : '...',
  )
  return `${name?.getText()}(${given.join(', ')})`
}
