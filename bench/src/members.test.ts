import { verifyLedger } from '@krapao/server/ledger';
import { expect, test } from 'vitest';
import { requireSameSecret } from '../../apps/server/src/platform/database/same-secret.ts';
import { testDatabase } from '../../apps/server/src/platform/database/testing.ts';
import { createSecrets } from '../../apps/server/src/platform/secrets.ts';
import { fillMembers } from './members.ts';

test('a server starts on a database with the members of a benchmark, and its books are right', async () => {
  const { app, config } = await testDatabase();
  const secrets = createSecrets('a secret that only this test knows');
  const tokens = await fillMembers(app, { members: 12, fundsMinor: 100n, secrets, settings: {} });
  expect(new Set(tokens).size).toBe(12);
  await requireSameSecret(config.owner, secrets, { stores: true });
  expect(await verifyLedger(app)).toEqual([]);
});
