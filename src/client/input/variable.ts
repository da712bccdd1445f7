/**
 * What a file of variables, a shell or a web page leaves in the value of a variable by mistake, as a sentence goes on:
 * one rule for all of them. Blanks around a value are taken off before.
 */
export function damageOfVariable(value: string): string | undefined {
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)) return 'holds a control character or a line break'
  return /^(["'`]).*\1$|^[“„‘«].*[”“’»]$/.test(value)
    ? 'has quotes around its value; take them off'
    : undefined
}
