/** What a user imports, and the program of each command. */
const entries = ['/index\\.ts$', '^packages/(cli/src|sandbox/src/cli|signer/src/cli)/program\\.ts$']

/** Functions without a clock, a socket or a store, and tables: tests beside them try each row. */
const pure = [
  '^src/callbacks/(decisions|read-options)\\.ts$',
  '^src/client/(env|error-codes|errors|options|redact|input/.+|schemas/.+|settings/.+)\\.ts$',
  '^src/client/auth/(operations|scopes|seal|signer|token-(body|lifetime|response)|tokens)\\.ts$',
  '^src/client/http/(failure|headers|meaning|outcome|request|response|retry-policy|to-error)\\.ts$',
  '^src/client/http/(limit/(fair-queue|pacing|retry-after)|transport/(connect-errors|transport))\\.ts$',
  '^src/client/observe/(events|log-lines|trace)\\.ts$',
  '^src/client/payments/(compare|reading|refund|requests|status)\\.ts$',
  '^src/jobs/(bullmq/seal|decide|state)\\.ts$',
  '^src/stores/(delivered-status|rate-limit/(ledger|reservation|store|timing))\\.ts$',
  '^packages/cli/src/(arguments|exit-codes|questions|text|files/(damage|table)|reconcile/(counted|rows))\\.ts$',
  '^packages/cli/src/(doctor/(finding|judge-live|places|reach|rights|settings)|payouts/(line|results|states))\\.ts$',
  '^packages/sandbox/src/(cli/(failure|listen/events|rehearse/reports|sandbox-options|text)|common/json)\\.ts$',
  '^packages/sandbox/src/gateway/(callbacks/delivery|clock/random|engine/(limiter|logged-request)|faults/fault(-kinds)?)\\.ts$',
  '^packages/sandbox/src/gateway/(normalise-options|payments/payment|wire/(refusal-fixes|request|response|routes))\\.ts$',
  '^packages/sandbox/src/page/api/(actions/faults|http/trusted-caller|mask|payments/.+|requests/.+)\\.ts$',
  '^packages/sandbox/src/page/ui/(payments/fold|requests/copy|route/route-hash)\\.ts$',
  '^packages/sandbox/src/rehearse/(action-text|case|cases|evidence|history|judge|longer|orders|paid|result|rules)\\.ts$',
  '^packages/signer/src/(approvals|counts|decide|money|server|token-request)\\.ts$',
]

/**
 * Which room may need which: arrows point downwards only, and no file needs a file that needs it.
 * `npm run lint` holds it; `npx depcruise src packages/sandbox/src -T mermaid` draws it.
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: 'no-circle',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { circular: true },
    },
    {
      name: 'the-client-stands-alone',
      comment: 'The client needs no other room.',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: '^(src|packages)/', pathNot: '^src/client/' },
    },
    {
      name: 'input-and-redact-are-the-ground',
      severity: 'error',
      from: { path: '^src/client/(input/|redact)' },
      to: { path: '^src/', pathNot: '^src/client/(input/|redact|errors\\.ts)' },
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
      from: { path: '^src/(callbacks|stores|jobs|opentelemetry)/' },
      to: { path: '^src/client/', pathNot: '^src/client/(input/|redact|observe/|auth/seal)' },
    },
    {
      name: 'callbacks-need-no-other-entry',
      severity: 'error',
      from: { path: '^src/(callbacks|opentelemetry)/' },
      to: {
        path: '^src/(callbacks|stores|jobs|opentelemetry)/',
        pathNot: '^src/$1/',
      },
    },
    {
      name: 'the-root-needs-no-package',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^packages/' },
    },
    {
      name: 'commands-and-signer-need-public-entries',
      comment: 'As a user has them, and nothing below.',
      severity: 'error',
      from: { path: '^packages/(cli|signer)/src/' },
      to: {
        path: '^(src|packages)/',
        pathNot:
          '^(packages/$1/(src/|package\\.json$)|src/index\\.ts$|src/(callbacks|opentelemetry|jobs)/index\\.ts$|src/stores/(redis|postgres)/index\\.ts$|src/jobs/bullmq/index\\.ts$)',
      },
    },
    {
      name: 'the-sandbox-needs-nothing-of-the-client',
      comment: 'So that the two can disagree.',
      severity: 'error',
      from: { path: '^packages/sandbox/src/' },
      to: { path: '^(src|packages)/', pathNot: '^packages/sandbox/src/' },
    },
    {
      name: 'a-test-of-a-package-uses-what-others-export',
      comment: 'Its own package it may also ask for a pure function, whose table of tests it is.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/test/' },
      to: {
        path: '^(src|packages/[^/]+/src)/',
        pathNot:
          '^(packages/$1/src/|packages/[^/]+/src/index\\.ts$|src/index\\.ts$|src/(callbacks|opentelemetry|jobs)/index\\.ts$|src/stores/(redis|postgres)/index\\.ts$|src/jobs/bullmq/index\\.ts$)',
      },
    },
    {
      name: 'a-test-of-the-client-uses-what-packages-export',
      severity: 'error',
      // The simulation and the alarms put a clock and a network of their own below the sandbox's engine.
      from: { path: '^test/', pathNot: '^test/(simulation|alerts)/' },
      to: {
        path: '^packages/[^/]+/src/',
        // What has a table of tests in its own package, and how the sandbox sends a callback.
        pathNot:
          '^packages/([^/]+/src/index|sandbox/src/gateway/(engine/limiter|wire/routes|normalise-options|callbacks/delivery))\\.ts$',
      },
    },
    {
      name: 'a-test-asks-an-entry-or-what-is-named-here',
      comment: 'So that what is inside can change.',
      severity: 'error',
      from: { path: '^(test|packages/[^/]+/test)/', pathNot: '^test/(simulation|alerts)/' },
      to: { path: '^(src/|packages/[^/]+/src/)', pathNot: [...entries, ...pure] },
    },
    {
      name: 'the-engine-needs-no-page',
      severity: 'error',
      from: { path: '^packages/sandbox/src/gateway/' },
      to: { path: '^packages/sandbox/src/page/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
}
