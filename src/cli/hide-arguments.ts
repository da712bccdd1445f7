const mask = '[redacted]'

/**
 * What commander says of wrong usage, without what was typed: a key, a token or a secret may have slipped
 * in anywhere. What is near to a name of ours stays, since "did you mean" is no help without it.
 */
export function hideArguments(text: string, args: readonly string[]): string {
  const hasSuggestion = text.includes('(Did you mean ')
  const values = args.flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)])
  return values
    .filter((value) => value !== '' && !isHarmless(value, hasSuggestion))
    .sort((a, b) => b.length - a.length)
    .reduce((shown, value) => shown.replaceAll(`'${value}'`, `'${mask}'`), text)
    .replace(/eyJ[\w.-]{8,}/g, mask)
}

function isHarmless(value: string, hasSuggestion: boolean): boolean {
  return /^--?[a-z][a-z-]{0,20}$/i.test(value) || (hasSuggestion && /^[\w-]{1,20}$/.test(value))
}
