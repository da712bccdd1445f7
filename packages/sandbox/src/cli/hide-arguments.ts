const mask = '[redacted]'

/** What commander says of wrong usage, without arguments that may be a key, a secret or somebody's account. */
export function hideArguments(text: string, args: readonly string[]): string {
  return args
    .flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)])
    .filter((value) => value !== '' && !isHarmless(value))
    .sort((a, b) => b.length - a.length)
    .reduce((shown, value) => shown.replaceAll(`'${value}'`, `'${mask}'`), text)
    .replace(/eyJ[\w.-]{8,}/g, mask)
}

/** What is short, and neither long digits nor letters and digits in one long row. */
function isHarmless(value: string): boolean {
  if (/^--?[a-z][a-z-]{0,20}$/i.test(value)) return true
  if (!/^[\w.,:/%+-]{1,20}$/.test(value) || /\d{7}/.test(value)) return false
  return !/(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{10}/i.test(value)
}
