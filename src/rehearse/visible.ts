/**
 * JSON, or JavaScript made of it, in which nothing is there that an editor does not show: what turns the direction
 * of a text around makes code look like other code.
 */
export function visible(json: string): string {
  return json.replace(/[\p{Cf}\u2028\u2029]/gu, (hidden) =>
    Array.from({ length: hidden.length }, (_, at) => hidden.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
