/** The field of a JSON value at a path such as `order.state`; undefined where there is none. */
export function fieldAt(json: unknown, path: string): unknown {
  return path.split('.').reduce((value: unknown, name) => {
    if (typeof value !== 'object' || value === null) return undefined
    return Object.entries(value).find(([key]) => key === name)?.[1]
  }, json)
}
