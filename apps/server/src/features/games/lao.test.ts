import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { laoMembers } from '../registration/testing-lao.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';

const env = await startTestEnv({ jobs: false, environment: { VARIANT: 'la' } });
const helpers = operatorHelpers(env);
const laoMember = laoMembers(env);
await env.app.runJob('feeds.read');
afterAll(async () => {
  expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
});

interface Player {
  token: string;
}
const get = (player: Player, path: string) =>
  env.call('GET', `/api/${path}`, undefined, { token: player.token });
const move = (player: Player, from: string, to: string, amount: number) =>
  env.call('POST', '/api/wallet/transfer', { from, to, amount }, { token: player.token });
const game = async (player: Player) =>
  (await get(player, 'wallet')).body.slots.find((slot: { code: string }) => slot.code === 'pg');

test('a game has a rate of its own in kip; members in baht play at theirs, and both get their money back', async () => {
  const admin = await helpers.operator('admin');
  const list = (await helpers.call(admin, 'GET', '/api/operator/games')).body;
  expect(list.currencies).toEqual(['BAHT', 'LAK']);
  const { name, state, rate, least, version } = list.games.find((row: { code: string }) => row.code === 'pg');
  const change = { name, state, rate, least, version, rateLak: 700, reason: 'kip' };
  expect((await helpers.call(admin, 'PUT', '/api/operator/games/pg', change)).status).toBe(200);
  const kip = await laoMember();
  await env.control('transfer', {
    phone: kip.phone,
    amount: 50_000,
    toBank: 'BCEL',
    toAccount: '010120008887',
  });
  await env.app.runJob('feeds.read');
  const baht = await env.member({ amountMinor: 100_000n });
  const unopened = await game(kip);
  expect(unopened).toMatchObject({ isActive: false, ftWalletSlot: 700 });
  for (const player of [kip, baht]) await get(player, 'wallet/activate/pg');
  // The game's minimum is shown at the rate of the member's currency before and after it is opened.
  expect((await game(kip)).leastIn).toBe(unopened.leastIn);
  expect((await move(kip, 'wallet', 'pg', 7_000)).body).toMatchObject({ status: 'SUCCESS' });
  expect((await move(baht, 'wallet', 'pg', 10)).body).toMatchObject({ status: 'SUCCESS' });
  expect(await game(kip)).toMatchObject({ amount: 10, ftWalletSlot: 700 });
  expect(await game(baht)).toMatchObject({ amount: 10, ftWalletSlot: 1 });
  expect((await move(kip, 'pg', 'wallet', 7_000)).body).toMatchObject({ status: 'SUCCESS' });
  expect((await move(baht, 'pg', 'wallet', 10)).body).toMatchObject({ status: 'SUCCESS' });
  expect([await kip.balance(), await env.balance(baht)]).toEqual([50_000n, 100_000n]);
});
