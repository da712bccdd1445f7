/**
 * Which room may need which: arrows point downwards only, and no file needs a file that needs it.
 * `npm run lint` holds it; `npx depcruise src sandbox/src -T mermaid` draws it.
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: 'no-circle',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'the-client-stands-alone',
      comment: 'The client needs no other room.',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: '^(src|sandbox)/', pathNot: '^src/client/' },
    },
    {
      name: 'input-and-redact-are-the-ground',
      severity: 'error',
      from: { path: '^src/client/(input|redact)/' },
      to: { path: '^src/', pathNot: '^src/client/(input/|redact/|errors\\.ts)' },
    },
    {
      name: 'http-knows-no-payments',
      comment: 'A call comes with its token: http knows neither payments nor scopes.',
      severity: 'error',
      from: { path: '^src/client/http/' },
      to: { path: '^src/client/(auth|payments|resources|settings)/' },
    },
    {
      name: 'payments-know-no-resources',
      severity: 'error',
      from: { path: '^src/client/(payments|auth)/' },
      to: { path: '^src/client/(resources|settings)/' },
    },
    {
      name: 'entries-know-the-client-as-a-user-does',
      comment: 'By its public names; what reads options is shared.',
      severity: 'error',
      from: { path: '^src/(callbacks|shared|payments|opentelemetry|profile|signer)/' },
      to: { path: '^src/client/', pathNot: '^src/client/(input|redact|profile|observe)/' },
    },
    {
      name: 'callbacks-need-no-other-entry',
      severity: 'error',
      from: { path: '^src/(callbacks|opentelemetry|profile|signer)/' },
      to: {
        path: '^src/(callbacks|shared|payments|opentelemetry|profile|signer|cli)/',
        // What is used of zod outside the client is in one place.
        pathNot: '^src/($1/|profile/zod-library)',
      },
    },
    {
      name: 'nobody-needs-the-command',
      severity: 'error',
      from: { path: '^(src|sandbox/src)/', pathNot: '^(src|sandbox/src)/cli/' },
      to: { path: '^(src|sandbox/src)/cli/' },
    },
    {
      name: 'the-package-needs-no-sandbox',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^sandbox/' },
    },
    {
      name: 'the-sandbox-shares-nothing-of-the-wire',
      comment: 'So that the two can disagree there. Its command is a user of the client.',
      severity: 'error',
      from: { path: '^sandbox/src/', pathNot: '^sandbox/src/cli/' },
      to: { path: '^src/', pathNot: '^src/(client/(input|profile)|profile)/' },
    },
    {
      name: 'the-engine-needs-no-page',
      severity: 'error',
      from: { path: '^sandbox/src/(gateway|openapi)/' },
      to: { path: '^sandbox/src/desk/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
}
