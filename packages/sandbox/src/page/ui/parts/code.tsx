/** Text that keeps its lines. */
export function Code({ label, children }: { label: string; children: string }) {
  return (
    <figure class="code">
      <figcaption>{label}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to by keyboard too */}
      <pre tabIndex={0}>{children}</pre>
    </figure>
  )
}
