import { announce } from '../parts/announce.js'
import { CopyButton } from '../parts/copy-button.js'
import { sandboxInfo } from '../server/sandbox-state.js'
import { resendRequest } from '../server/server.js'
import { asCode, type Copied } from './copy-text.js'

export function RequestActions({ number, request }: { number: number; request: Copied }) {
  const send = async () => {
    try {
      const resent = await resendRequest(number)
      const isSent = resent.number !== null
      announce(
        `${isSent ? 'Sent again under the same id. ' : ''}${resent.message}`,
        !isSent || !resent.arrived,
      )
    } catch (error) {
      announce(error instanceof Error ? error.message : String(error), true)
    }
  }
  const place = sandboxInfo.value && { ...sandboxInfo.value, origin: location.origin }
  const link = () => `${location.origin}${location.pathname}#/request/${number}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are no fields, so a fieldset would be wrong
    <div class="toolbar-row" role="group" aria-label={`What to do with ${request.method} ${request.path}`}>
      <button
        type="button"
        class="small"
        title="Under the same id, with a token of its own: a create that was accepted gets 409"
        onClick={send}
      >
        Send again
      </button>
      {place !== null && <CopyButton text={() => asCode(request, place)}>Copy as code</CopyButton>}
      <CopyButton text={link}>Copy the link</CopyButton>
    </div>
  )
}
