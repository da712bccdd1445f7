import { CreatePanel } from './create-panel.js'
import { BalancesPanel } from './desk-balances.js'
import { ClockPanel, clockValue } from './desk-clock.js'
import { LimiterPanel } from './desk-limiter.js'
import { desk } from './desk-model.js'
import { DeskPopover, useEscape } from './desk-popover.js'
import { ResetPanel } from './desk-reset.js'
import { FaultForm } from './fault-form.js'
import { ArmedFaults } from './fault-list.js'
import { ProfilePanel } from './profile-panel.js'
import { sandboxInfo } from './sandbox-info.js'

/** Everything that can be done to the sandbox as a whole. */
export function DeskBar() {
  useEscape()
  const { faults = [], clock, limiter, shop = null } = desk.value ?? {}
  const { profile = null } = sandboxInfo.value ?? {}
  return (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are no fields, so a fieldset would be wrong
    <div class="desk" role="group" aria-label="The sandbox">
      <DeskPopover
        name="Create"
        value={shop === null ? undefined : `${shop.done}/${shop.of}`}
        isOn={shop !== null}
      >
        {(close) => <CreatePanel close={close} />}
      </DeskPopover>
      <DeskPopover name="Faults" value={String(faults.length)} isOn={faults.length > 0}>
        {() => (
          <>
            <ArmedFaults faults={faults} />
            <h3>Arm a fault</h3>
            <FaultForm payment={undefined} />
          </>
        )}
      </DeskPopover>
      <DeskPopover
        name="Clock"
        value={clock && clockValue(clock)}
        isOn={clock !== undefined && clock.skewMs !== 0}
      >
        {() => clock && <ClockPanel clock={clock} />}
      </DeskPopover>
      <DeskPopover name="Limit" value={limiter && (limiter.limit === null ? 'none' : `${limiter.limit}/s`)}>
        {() => limiter && <LimiterPanel limiter={limiter} />}
      </DeskPopover>
      <DeskPopover name="Balances">{() => <BalancesPanel />}</DeskPopover>
      {profile !== null && (
        <DeskPopover name="Profile">{() => <ProfilePanel sections={profile} />}</DeskPopover>
      )}
      <DeskPopover name="Reset">{(close) => <ResetPanel close={close} />}</DeskPopover>
    </div>
  )
}
