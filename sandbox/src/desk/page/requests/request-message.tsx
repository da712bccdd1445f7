import type { ShownMessage } from '../../control/messages/requests.js'
import { Code } from '../parts/code.js'
import { count } from '../parts/format.js'

/** One side of an exchange: its body, and its headers for who wants them. */
export function Message({ title, message }: { title: string; message: ShownMessage | null }) {
  return (
    <section class="message">
      <h3>{title}</h3>
      {message === null ? (
        <p class="lead">None arrived.</p>
      ) : (
        <>
          {message.body === null ? (
            <p class="lead">No body.</p>
          ) : (
            <Code label={`${title} body`}>{message.body}</Code>
          )}
          {message.headers.length > 0 && (
            <details>
              <summary>{count(message.headers.length, 'header')}</summary>
              <dl class="headers">
                {message.headers.map(([name, value]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd data-masked={value === '[redacted]'}>{value}</dd>
                  </div>
                ))}
              </dl>
            </details>
          )}
        </>
      )}
    </section>
  )
}
