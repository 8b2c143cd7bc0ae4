/**
 * Who may look at whom, derived from the folders. Tests may reach further inside their own program, never into
 * another. `tools/boundaries.test.ts` proves that every rule below bites.
 */
const TEST = '\\.test\\.tsx?$|/testing/|/testing[^/]*\\.ts$|/fixtures/';
const OURS = '^(apps|packages|e2e|bench|tools)/';

/** Folders of ours that code in `from` may not import: all but those named. */
function only(name, comment, from, allowed) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path: from },
    to: { path: OURS, pathNot: [from, ...allowed] },
  };
}

/** Inside the server: layers that may not be looked up to. */
function serverLayer(layer, forbidden) {
  return {
    name: `server-${layer}`,
    comment: `apps/server/src/${layer} stands below: pass what it needs in instead of importing it.`,
    severity: 'error',
    from: { path: `^apps/server/src/${layer}/`, pathNot: TEST },
    to: { path: `^apps/server/src/(${forbidden}|[^/]+\\.ts$)` },
  };
}

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Move what both need into a third file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'The import leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['\\.po$', '^virtual:'] },
    },
    {
      name: 'contract-alone',
      comment: 'The contract is pure: the schema library and itself, nothing else.',
      severity: 'error',
      from: { path: '^packages/contract/src/' },
      to: { pathNot: ['^packages/contract/src/', 'node_modules/typebox/'] },
    },
    {
      name: 'contract-shared',
      comment: 'What everybody shares knows neither an app nor the outside world, and they not each other.',
      severity: 'error',
      from: { path: '^packages/contract/src/(shared|member|operator|outside)/' },
      to: {
        path: '^packages/contract/src/(member|operator|outside)/',
        pathNot: '^packages/contract/src/$1/',
      },
    },
    only('ui-imports', 'ui may use the shared contract only.', '^packages/ui/', [
      '^packages/contract/src/shared/',
    ]),
    only(
      'client-imports',
      'The client of operators is typed by their contract and needs nothing else.',
      '^packages/operator-client/',
      ['^packages/contract/src/(shared|operator)/'],
    ),
    only('web-imports', 'The member app may use ui and the shared and member contract.', '^apps/web/', [
      '^packages/ui/',
      '^packages/contract/src/(shared|member)/',
    ]),
    {
      name: 'web-contract-types',
      comment: 'Schemas do not belong in the browser: use import type.',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: TEST },
      to: { path: '^packages/contract/src/member/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-features',
      comment: 'Only apps/web/src/app joins features.',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/', pathNot: TEST },
      to: { path: '^apps/web/src/(features|app)/', pathNot: '^apps/web/src/features/$1/' },
    },
    only(
      'console-imports',
      'The console may use ui and the shared and operator contract.',
      '^apps/console/',
      ['^packages/ui/', '^packages/contract/src/(shared|operator)/'],
    ),
    {
      name: 'console-contract-types',
      comment:
        'Schemas do not belong in the browser: use import type. A list without schemas has a file of its own.',
      severity: 'error',
      from: { path: '^apps/console/src/', pathNot: TEST },
      to: {
        path: '^packages/contract/src/operator/',
        pathNot: '^packages/contract/src/operator/alert-kinds',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'console-features',
      comment: 'Only apps/console/src/app joins features.',
      severity: 'error',
      from: { path: '^apps/console/src/features/([^/]+)/', pathNot: TEST },
      to: { path: '^apps/console/src/(features|app)/', pathNot: '^apps/console/src/features/$1/' },
    },
    only('server-imports', 'The server may use the contract; it meets all else over HTTP.', '^apps/server/', [
      '^packages/contract/src/',
    ]),
    only('sandbox-imports', 'The sandbox may use the outside and shared contract only.', '^apps/sandbox/', [
      '^packages/contract/src/(outside|shared)/',
    ]),
    serverLayer('platform', 'features/|ledger/|outside/'),
    serverLayer('ledger', 'features/|outside/|platform/http/'),
    serverLayer('outside', 'features/|ledger/'),
    {
      name: 'server-features',
      comment: 'A feature asks another only through its read.ts, and never the assembly.',
      severity: 'error',
      from: { path: '^apps/server/src/features/([^/]+)/', pathNot: TEST },
      to: {
        path: '^apps/server/src/(features/|[^/]+\\.ts$)',
        pathNot: ['^apps/server/src/features/$1/', '^apps/server/src/features/[^/]+/read\\.ts$'],
      },
    },
    {
      name: 'server-refusals',
      comment:
        'Take a Refuse limited to what the call declares. Jobs, file routes and results of rows are named here.',
      severity: 'error',
      from: {
        path: '^apps/server/src/features/',
        pathNot: [
          TEST,
          '/(approvals/approvals|bonuses/expiry|content/files|deposits/slips/operator|kyc/image|withdrawals/(operator|undo))\\.ts$',
        ],
      },
      to: { path: '^apps/server/src/platform/refuse-any\\.ts$' },
    },
    {
      name: 'server-untyped',
      comment:
        'Send a text that queries.gen.ts knows. Statements put together at run time, and libraries that bring queries of their own, are named here.',
      severity: 'error',
      from: {
        path: '^apps/server/src/',
        pathNot: [
          TEST,
          '^apps/server/src/platform/(database/(pages|standby)|jobs)\\.ts$',
          '/bonuses/queries\\.ts$',
        ],
      },
      to: { path: '^apps/server/src/platform/database/untyped\\.ts$' },
    },
    {
      name: 'test-helpers',
      comment: 'What only tests use stays out of the product.',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: TEST },
      to: { path: TEST },
    },
    {
      name: 'nobody-imports-e2e',
      comment: 'e2e, bench and tools stand at the edge: they may import, nobody imports them.',
      severity: 'error',
      from: { path: '^(apps|packages|e2e|bench|tools)/([^/]+)' },
      to: { path: '^(e2e|bench|tools)/', pathNot: '^$1/' },
    },
  ],
  options: {
    // Beside TypeScript 7 dependency-cruiser reads .ts only through swc; without it, it passes on nothing.
    parser: 'swc',
    tsPreCompilationDeps: true,
    moduleSystems: ['es6', 'cjs'],
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.data|test-results)/|^tools/fixtures/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
};
