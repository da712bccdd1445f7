/**
 * A program of a page whose sandboxes show what the specification shows and nothing more: what it relies on
 * then stands there.
 */
export function relyingOnNothing(source: string): string {
  return source.replace(/\bcreateSandbox\((\)|\{ )/g, (_call, next: string) => {
    return `createSandbox({ strictness: 'specification'${next === ')' ? ' })' : ', '}`
  })
}
