import type { Info } from '../../control/controls/controls.js'
import { Code } from '../parts/code.js'

/** What the sandbox plays, to be read; it is set at the start. */
export function ProfilePanel({ profile }: { profile: NonNullable<Info['profile']> }) {
  return (
    <>
      <h2>Profile</h2>
      <p class="fine">
        This sandbox answers as a gateway was seen to. What the profile doesn’t know (its reasons are in{' '}
        <code>notSeen</code>), and what options say otherwise, is as without one.
      </p>
      <Code label="The profile">{JSON.stringify(profile, null, 2)}</Code>
    </>
  )
}
