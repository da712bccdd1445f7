import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  readonly name: string
  readonly value?: string | undefined
  /** Whether something is not as it is by itself. */
  readonly isOn?: boolean
  readonly children: (close: () => void) => ComponentChildren
}

const MARGIN = 16

/** A button of the bar and what it opens: below it, or as a sheet at the foot of a narrow page. */
export function ToolbarPopover({ name, value, isOn = false, children }: Props) {
  const isOpen = useSignal(false)
  // From its first opening on, so that what was typed stays.
  const isFilled = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const id = `toolbar-${name.toLowerCase()}`
  useEffect(() => {
    if (isOpen.value) panel.current?.focus()
  }, [isOpen.value])
  const toggled = ({ newState }: { readonly newState: string }) => {
    isOpen.value = newState === 'open'
    if (isOpen.peek()) isFilled.value = true
    if (isOpen.peek()) place(button.current, panel.current)
  }
  return (
    <>
      <button type="button" class="toolbar-button" data-on={isOn} popovertarget={id} ref={button}>
        {name}{' '}
        {value !== undefined && (
          <span class="pill" data-tone={isOn ? 'waiting' : 'calm'}>
            {value}
          </span>
        )}
      </button>
      <div
        class="toolbar-panel"
        id={id}
        popover="auto"
        role="dialog"
        aria-label={name}
        tabIndex={-1}
        ref={panel}
        onToggle={toggled}
      >
        {isFilled.value && (
          <>
            <button
              type="button"
              class="toolbar-close"
              aria-label={`Close ${name}`}
              onClick={() => panel.current?.hidePopover()}
            >
              ×
            </button>
            {children(() => panel.current?.hidePopover())}
          </>
        )}
      </div>
    </>
  )
}

function place(button: HTMLElement | null, panel: HTMLElement | null): void {
  if (button === null || panel === null) return
  const { left, bottom } = button.getBoundingClientRect()
  const furthest = document.documentElement.clientWidth - panel.offsetWidth - MARGIN
  panel.style.setProperty('--left', `${Math.max(MARGIN, Math.min(left, furthest))}px`)
  panel.style.setProperty('--top', `${bottom + 8}px`)
}
