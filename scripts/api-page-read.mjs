// What each entry exports and what its comments say, read from the sources by the TypeScript compiler.
import { relative } from 'node:path'
import ts from 'typescript'

const routePattern = /\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s,]*[^\s,.]|\{customerAccountPath\})/

/** Reads the entries, given as `{ name, file }`; the first is the main one. */
export function readEntries(root, entries) {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram(
    entries.map(({ file }) => root + file),
    options,
  )
  const checker = program.getTypeChecker()
  return entries.map(({ name, file }) => {
    const source = program.getSourceFile(root + file)
    const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(source))
    const names = new Map(symbols.map((one) => [target(checker, one), one.name]))
    const nameOf = (node) => names.get(target(checker, checker.getSymbolAtLocation(node)))
    return {
      name,
      file,
      summary: commentOf(source.statements[0]).text,
      exports: symbols
        .map((one) => readExport(one.name, target(checker, one).declarations[0], root, nameOf))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    }
  })
}

/** What a name stands for, behind the exports and imports that pass it on. */
function target(checker, symbol) {
  const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
  return isAlias ? checker.getAliasedSymbol(symbol) : symbol
}

function readExport(name, declaration, root, nameOf) {
  const file = relative(root, declaration.getSourceFile().fileName)
  const holder = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  const shared = { name, file, ...commentOf(holder) }
  if (ts.isClassDeclaration(declaration)) return { ...shared, ...readClass(declaration, nameOf) }
  if (ts.isInterfaceDeclaration(declaration)) return { ...shared, ...readInterface(declaration, nameOf) }
  if (ts.isFunctionDeclaration(declaration)) {
    return { ...shared, kind: 'function', signature: signatureOf(name, declaration, nameOf) }
  }
  if (ts.isTypeAliasDeclaration(declaration)) {
    return { ...shared, kind: 'alias', code: declaration.getText().replace(/^export /, '') }
  }
  return { ...shared, kind: 'value', type: textOf(declaration.type, nameOf) }
}

function readClass(declaration, nameOf) {
  const members = declaration.members.filter(isPublic)
  const code = members.find((one) => ts.isPropertyDeclaration(one) && one.name.getText() === 'code')
  return {
    kind: 'class',
    base: baseOf(declaration),
    code: code?.initializer?.getText().slice(1, -1),
    constructed: members
      .filter(ts.isConstructorDeclaration)
      .map((one) => ({ ...signatureOf(`new ${declaration.name.text}`, one, nameOf), ...commentOf(one) }))[0],
    fields: members
      .filter((one) => ts.isPropertyDeclaration(one) || ts.isGetAccessor(one))
      .map((one) => fieldOf(one, nameOf)),
    methods: members
      .filter((one) => ts.isMethodDeclaration(one) && !hasBodyBehindOverloads(one, members))
      .map((one) => methodOf(one, nameOf)),
  }
}

function readInterface(declaration, nameOf) {
  const members = declaration.members.filter(isPublic)
  return {
    kind: 'interface',
    base: baseOf(declaration),
    fields: members
      .filter((one) => ts.isPropertySignature(one) || ts.isIndexSignatureDeclaration(one))
      .map((one) => fieldOf(one, nameOf)),
    methods: members.filter(ts.isMethodSignature).map((one) => methodOf(one, nameOf)),
  }
}

function methodOf(node, nameOf) {
  const modifiers = ts.getModifiers(node) ?? []
  const isStatic = modifiers.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)
  return {
    name: node.name.getText(),
    isStatic,
    ...signatureOf(node.name.getText(), node, nameOf),
    ...commentOf(node),
  }
}

function fieldOf(node, nameOf) {
  const name = ts.isIndexSignatureDeclaration(node)
    ? `[${node.parameters[0]?.name.getText()}]`
    : node.name.getText().replace(/^'|'$/g, '')
  const type = textOf(node.type, nameOf)
  const isOptional = node.questionToken !== undefined
  return {
    name,
    isOptional,
    type: isOptional ? type.replace(/ \| undefined$/, '').replace(/^\((\(.*)\)$/, '$1') : type,
    ...commentOf(node),
  }
}

/** `name(a, b?)`, the types of the parameters, and the type of the result. */
function signatureOf(name, node, nameOf) {
  const parameters = node.parameters.map((one) => ({
    name: (one.dotDotDotToken ? '...' : '') + (ts.isIdentifier(one.name) ? one.name.text : 'ids'),
    isOptional: one.questionToken !== undefined || one.initializer !== undefined,
    type: textOf(one.type, nameOf),
  }))
  const names = parameters.map((one) => one.name + (one.isOptional ? '?' : ''))
  return { call: `${name}(${names.join(', ')})`, parameters, result: textOf(node.type, nameOf) }
}

/** The implementation of a method that has overloads is not for callers. */
function hasBodyBehindOverloads(node, members) {
  return (
    node.body !== undefined &&
    members.some(
      (one) => one !== node && ts.isMethodDeclaration(one) && one.name.getText() === node.name.getText(),
    )
  )
}

function isPublic(node) {
  const name = node.name
  if (name !== undefined && (ts.isPrivateIdentifier(name) || ts.isComputedPropertyName(name))) return false
  return name?.getText() !== 'toJSON' && !ts.getJSDocTags(node).some((tag) => tag.tagName.text === 'internal')
}

function baseOf(declaration) {
  return (declaration.heritageClauses ?? [])
    .filter(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    .flatMap(({ types }) => types.map((one) => one.getText()))
}

/** A type on one line, without comments, with the names that the entry exports. */
function textOf(type, nameOf) {
  if (type === undefined) return ''
  const rename = (context) => (root) => {
    const visit = (node) => {
      const name = ts.isIdentifier(node) ? nameOf(node) : undefined
      return name === undefined ? ts.visitEachChild(node, visit, context) : ts.factory.createIdentifier(name)
    }
    return ts.visitNode(root, visit)
  }
  const { transformed } = ts.transform(type, [rename])
  const printer = ts.createPrinter({ removeComments: true })
  const text = printer.printNode(ts.EmitHint.Unspecified, transformed[0], type.getSourceFile())
  return text
    .replace(/\s*\n\s*/g, ' ')
    .replace(/;(?= })/g, '')
    .replace(/^\| /, '')
}

/** A comment without its tags, on one line, and the endpoint that it names. */
function commentOf(node) {
  const block = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc)
  const text = (ts.getTextOfJSDocComment(block?.comment) ?? '')
    .replace(/\{@link (?:[^}|]*\| *)?([^}]*)\}/g, '`$1`')
    .replace(/\s*\n\s*/g, ' ')
    .trim()
  const route = routePattern.exec(text)
  return { text, route: route === null ? undefined : `${route[1]} ${route[2]}` }
}
