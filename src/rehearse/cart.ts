/** Whether a text has a place for the number of the cart. */
export function namesCart(text: string): boolean {
  return text.includes('{n}')
}

/** Puts the number of the cart into a command, an address or a body. */
export function withCart(text: string, cart: number): string {
  return text.replaceAll('{n}', String(cart))
}
