import { announce } from '../parts/announce.js'
import { CopyButton } from '../parts/copy-button.js'
import { sandboxInfo } from '../server/sandbox-state.js'
import { resendRequest } from '../server/server.js'
import { asCurl } from './copy-curl.js'
import { asTest, type CopiedFault } from './copy-test.js'
import { asCode, type Copied } from './copy-text.js'

interface Props {
  readonly number: number
  readonly request: Copied
  /** The fault that was added and that it met, and where. */
  readonly fault: Pick<CopiedFault, 'kind' | 'route'> | null
}

export function RequestActions({ number, request, fault }: Props) {
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
  const place = sandboxInfo.value
  const form = place?.faults.find(({ at, kind }) => at === 'request' && kind === fault?.kind)
  const met = fault && { ...fault, hasParameters: form?.fields.length !== 0 }
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
      {place !== null && (
        <>
          <CopyButton text={() => asCurl(request, place)}>Copy as curl</CopyButton>
          <CopyButton text={() => asCode(request, place)}>Copy as code</CopyButton>
          <CopyButton text={() => asTest(request, place.basePath, met)}>Copy as a test</CopyButton>
        </>
      )}
      <CopyButton text={link}>Copy the link</CopyButton>
    </div>
  )
}
