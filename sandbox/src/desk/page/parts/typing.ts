/** Whether a key belongs to the field that it is pressed in. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea')
}
