import { FaultForm } from '../faults/fault-form.js'
import { FaultList } from '../faults/fault-list.js'
import { sandboxState } from '../server/sandbox-state.js'
import { ClockPanel, clockValue } from './clock.js'
import { CreatePanel } from './create-panel.js'
import { ToolbarPopover } from './popover.js'
import { ResetPanel } from './reset.js'

export function Toolbar() {
  const { faults = [], clock } = sandboxState.value ?? {}
  const isSkewed = clock !== undefined && clock.skewMs !== 0
  return (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are no fields, so a fieldset would be wrong
    <div class="toolbar" role="group" aria-label="The sandbox">
      <ToolbarPopover name="Create">{(close) => <CreatePanel close={close} />}</ToolbarPopover>
      <ToolbarPopover name="Faults" value={String(faults.length)} isOn={faults.length > 0}>
        {() => (
          <>
            <FaultList faults={faults} />
            <h3>Add a fault</h3>
            <FaultForm />
          </>
        )}
      </ToolbarPopover>
      <ToolbarPopover name="Clock" value={clock && clockValue(clock)} isOn={isSkewed}>
        {() => clock && <ClockPanel clock={clock} />}
      </ToolbarPopover>
      <ToolbarPopover name="Reset">{(close) => <ResetPanel close={close} />}</ToolbarPopover>
    </div>
  )
}
