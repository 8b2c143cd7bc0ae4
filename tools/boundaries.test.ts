import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cruise, unseen } from './lib/boundaries.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures', 'boundaries');
const SERVER = 'apps/server/src';

/** One forbidden import for each rule, and the rule that must name it. */
const FORBIDDEN: [rule: string, from: string, to: string][] = [
  [
    'console-contract-types',
    'apps/console/src/features/desk/room.ts',
    'packages/contract/src/operator/index.ts',
  ],
  ['console-features', 'apps/console/src/features/queue/room.ts', 'apps/console/src/features/desk/room.ts'],
  ['console-imports', 'apps/console/src/features/queue/room.ts', `${SERVER}/app.ts`],
  ['contract-alone', 'packages/contract/src/shared/index.ts', 'fastify'],
  ['contract-shared', 'packages/contract/src/shared/index.ts', 'packages/contract/src/member/index.ts'],
  ['nobody-imports-e2e', `${SERVER}/main.ts`, 'e2e/test-env.ts'],
  ['no-cycles', `${SERVER}/features/b/one.ts`, `${SERVER}/features/b/two.ts`],
  ['resolvable', 'apps/web/src/app/main.ts', './nowhere.ts'],
  ['sandbox-imports', 'apps/sandbox/src/main.ts', 'packages/contract/src/member/index.ts'],
  ['server-features', `${SERVER}/features/a/call.ts`, `${SERVER}/features/b/write.ts`],
  ['server-imports', `${SERVER}/main.ts`, 'apps/sandbox/src/main.ts'],
  ['server-ledger', `${SERVER}/ledger/ledger.ts`, `${SERVER}/outside/bank.ts`],
  ['server-outside', `${SERVER}/outside/bank.ts`, `${SERVER}/features/b/read.ts`],
  ['server-ledger', `${SERVER}/ledger/ledger.ts`, `${SERVER}/platform/http/status.ts`],
  ['server-platform', `${SERVER}/platform/clock.ts`, `${SERVER}/features/b/write.ts`],
  ['server-refusals', `${SERVER}/features/a/call.ts`, `${SERVER}/platform/refuse-any.ts`],
  ['server-untyped', `${SERVER}/features/a/call.ts`, `${SERVER}/platform/database/untyped.ts`],
  ['test-helpers', `${SERVER}/app.ts`, `${SERVER}/platform/testing.ts`],
  ['client-imports', 'packages/operator-client/src/index.ts', 'packages/contract/src/member/index.ts'],
  ['ui-imports', 'packages/ui/src/index.ts', 'packages/contract/src/outside/index.ts'],
  ['web-contract-types', 'apps/web/src/features/wallet/screen.ts', 'packages/contract/src/member/index.ts'],
  ['web-features', 'apps/web/src/features/login/screen.ts', 'apps/web/src/features/wallet/screen.ts'],
  ['web-imports', 'apps/web/src/features/login/screen.ts', `${SERVER}/app.ts`],
];

/** Imports beside them that are allowed. */
const ALLOWED: [from: string, to: string][] = [
  [`${SERVER}/features/a/call.ts`, `${SERVER}/features/b/read.ts`],
  [`${SERVER}/features/a/call.ts`, `${SERVER}/ledger/ledger.ts`],
  [`${SERVER}/ledger/ledger.ts`, `${SERVER}/platform/clock.ts`],
  ['apps/web/src/features/login/screen.ts', 'packages/contract/src/member/index.ts'],
  ['apps/console/src/features/queue/room.ts', 'packages/contract/src/operator/index.ts'],
  ['apps/sandbox/src/main.ts', 'packages/contract/src/outside/index.ts'],
  ['packages/contract/src/member/index.ts', 'typebox'],
  ['e2e/test-env.ts', `${SERVER}/app.ts`],
];

test('every rule bites, and bites only what it names', { timeout: 30_000 }, async () => {
  const { breaches } = await cruise(FIXTURE);
  for (const [rule, from, to] of FORBIDDEN) {
    const found = breaches.some(
      (breach) => breach.rule === rule && breach.from === from && breach.to.includes(to),
    );
    expect(found, `${rule} misses ${from} → ${to}`).toBe(true);
  }
  for (const [from, to] of ALLOWED) {
    expect(breaches.filter((breach) => breach.from === from && breach.to.includes(to))).toEqual([]);
  }
  const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
  const rules = forbidden.map((rule: { name: string }) => rule.name).sort();
  expect([...new Set(FORBIDDEN.map(([rule]) => rule))].sort()).toEqual(rules);
});

test('a cruise that sees nothing is noticed', () => {
  expect(unseen([])).toContain('tools/check.ts');
});
