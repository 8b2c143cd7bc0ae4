import { expect, test } from 'vitest';
import { startTestEnv } from '../../testing/test-env.ts';
import { findAccount } from './queries.ts';
import { refreshAccount } from './refresh.ts';
import { gameHelpers } from './testing-games.ts';

const env = await startTestEnv({ jobs: false });
const { open, transfer, credits, gameBalance } = gameHelpers(env);

test('counted tenfold: a reading that began before the rate changed is booked at the rate of its credits', async () => {
  const member = await env.member({ amountMinor: 100_000n });
  await open(member, 'usun');
  // What a refresh knows of the account before it queries the provider.
  const account = (await findAccount(env.pool, member.id, 'usun'))!;
  await env.owner.query("update slot set rate_micro = 1000000 where code = 'usun'");
  expect((await transfer(member, 'wallet', 'usun', 100)).status).toBe(200);
  await refreshAccount(env.app.deps, { id: member.id, currency: 'BAHT' }, account);
  expect([await credits(member, 'usun'), await gameBalance(member, 'usun')]).toEqual([10_000n, 10_000n]);
});
