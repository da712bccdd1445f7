import ts from 'typescript'

export interface Numbered {
  /** The same program, which passes a point when an await is under way and one when it has settled. */
  readonly source: string
  /** All its awaits: the line, and what stands there. */
  readonly sites: readonly string[]
}

/** Hands every `await` of a program to the function `at` of this module. */
export function numberAwaits(program: string, module: string): Numbered {
  const file = ts.createSourceFile('program.mjs', program, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  const sites: string[] = []
  const inserts: { readonly at: number; readonly text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isAwaitExpression(node)) {
      const { expression } = node
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      const site = `${line + 1}: ${expression.getText().split('\n')[0]}`
      sites.push(site)
      inserts.push({ at: expression.getStart(), text: `at(${JSON.stringify(site)}, async () => (` })
      inserts.push({ at: expression.getEnd(), text: '))' })
    }
    if (ts.isForOfStatement(node) && node.awaitModifier) throw new Error('for await has no points here')
    ts.forEachChild(node, visit)
  }
  visit(file)
  const source = inserts
    .sort((one, other) => other.at - one.at)
    .reduce((text, insert) => text.slice(0, insert.at) + insert.text + text.slice(insert.at), program)
  return { source: `import { at } from ${JSON.stringify(module)}\n${source}`, sites }
}
