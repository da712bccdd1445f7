/** Puts the number of the cart into a command, an address or a body. */
export function withCart(text: string, cart: number): string {
  return text.replaceAll('{n}', String(cart))
}
