import type { ProfileSection } from '../../control/messages/payments.js'

/** What the sandbox plays, to be read; it is set at the start. */
export function ProfilePanel({ sections }: { sections: readonly ProfileSection[] }) {
  return (
    <>
      <h2>Profile</h2>
      <p class="fine">
        This sandbox answers as a gateway was seen to. What the profile doesn’t know, and what options say
        otherwise, is as without one.
      </p>
      {sections.map(({ name, facts }) => (
        <section key={name} aria-label={name}>
          <h3>{name}</h3>
          <dl class="profile">
            {facts.map(([about, value]) => (
              <div key={about}>
                <dt>{about}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {sections.length === 0 && <p class="fine">The profile says nothing yet.</p>}
    </>
  )
}
