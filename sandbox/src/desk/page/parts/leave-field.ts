/**
 * What Escape does in a field: it closes the field, and not what is open beside it. A field in a part that can be
 * closed closes that part; any other is left.
 *
 * @returns false when the key was not pressed in a field
 */
export function leaveField(event: KeyboardEvent): boolean {
  const { target } = event
  if (!(target instanceof HTMLElement) || !target.matches('input, select, textarea')) return false
  const part = target.closest('details')
  const summary = part?.querySelector('summary')
  if (part instanceof HTMLDetailsElement && summary instanceof HTMLElement) {
    part.open = false
    summary.focus()
  } else target.blur()
  return true
}
