import { useEffect } from 'preact/hooks'

/** Rows above and below those in sight that are drawn, so that scrolling meets no gap. */
export const OVERSCAN = 12

/** Where something loaded begins in the whole list, and what was loaded. */
export interface Loaded<Row> {
  readonly offset: number
  readonly rows: readonly Row[]
}

/** Which rows are in sight. */
export interface Sight {
  readonly first: number
  readonly last: number
}

/** Tells which rows of a list can be seen, at the start and whenever it is scrolled or becomes larger or smaller. */
export function useSight(
  list: { current: HTMLElement | null },
  rowHeight: number,
  look: (first: number, last: number) => void,
): void {
  useEffect(() => {
    const element = list.current
    if (element === null) return undefined
    const report = () => {
      const first = Math.floor(element.scrollTop / rowHeight)
      look(first, first + Math.ceil(element.clientHeight / rowHeight) + 1)
    }
    const sizes = new ResizeObserver(report)
    sizes.observe(element)
    element.addEventListener('scroll', report, { passive: true })
    report()
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', report)
    }
  }, [list, rowHeight, look])
}

/** The rows that are in the document: those in sight and a few around them. */
export function drawnRows<Row>(
  { rows, offset }: Loaded<Row>,
  { first, last }: Sight,
): { readonly row: Row; readonly index: number }[] {
  const from = Math.max(0, first - OVERSCAN - offset)
  const to = Math.max(0, last + OVERSCAN - offset)
  return rows.slice(from, to).map((row, index) => ({ row, index: offset + from + index }))
}
