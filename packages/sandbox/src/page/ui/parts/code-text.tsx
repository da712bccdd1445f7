/** A text whose long codes break after `_` where a line ends. */
export function CodeText({ children }: { children: string }) {
  const parts = children.split(/(?<=_)/)
  return <>{parts.map((part, index) => (index === 0 ? part : [<wbr key={index} />, part]))}</>
}
