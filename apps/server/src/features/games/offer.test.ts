import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { listen } from '../../platform/listen.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const helpers = operatorHelpers(env);
const GAMES = '/api/operator/games';

afterAll(async () => {
  expect(await verifyLedger(env.pool)).toEqual([]);
});

const find = async (as: TestOperator, code: string) =>
  (await helpers.call(as, 'GET', GAMES)).body.games.find((row: { code: string }) => row.code === code);
async function change(as: TestOperator, code: string, to: object) {
  const { name, state, rate, rateLak, least, version } = await find(as, code);
  return helpers.call(as, 'PUT', `${GAMES}/${code}`, {
    ...{ name, state, rate, rateLak, least, version },
    reason: 'as agreed',
    ...to,
  });
}
const get = (member: TestMember, path: string) =>
  env.call('GET', `/api/${path}`, undefined, { token: member.token });
const move = (member: TestMember, from: string, to: string, amount: number) =>
  env.call('POST', '/api/wallet/transfer', { from, to, amount }, { token: member.token });
const slots = async (member: TestMember): Promise<{ code: string; name: string }[]> =>
  (await get(member, 'wallet')).body.slots;
async function player(code: string): Promise<TestMember> {
  const member = await env.member({ amountMinor: 100_000n });
  await get(member, `wallet/activate/${code}`);
  return member;
}

test('maintenance stops entry, never taking money out', async () => {
  const [admin, member] = [await helpers.operator('admin'), await player('circus')];
  await move(member, 'wallet', 'circus', 200);
  expect((await change(admin, 'circus', { state: 'MAINTENANCE' })).status).toBe(200);
  const refused = [
    await move(member, 'wallet', 'circus', 100),
    await get(member, `autoLogin/circus/kp${member.id}`),
    await get(await env.member(), 'wallet/activate/circus'),
  ];
  for (const response of refused) expect(response.body).toMatchObject({ message: 'PROVIDER_UNAVAILABLE' });
  expect((await move(member, 'circus', 'wallet', 200)).body).toMatchObject({ status: 'SUCCESS' });
  expect((await slots(member)).map(({ code }) => code)).toContain('circus');
  await change(admin, 'circus', { state: 'OPEN' });
  expect((await move(member, 'wallet', 'circus', 100)).status).toBe(200);
});

test('a provider under maintenance is one action for all its games, ended by another; money can be taken out', async () => {
  const [admin, auditor] = [await helpers.operator('admin'), await helpers.operator('auditor')];
  const [inside, outside] = [await player('betflix'), await player('pg')];
  await move(inside, 'wallet', 'betflix', 200);
  await change(admin, 'slotracha', { state: 'MAINTENANCE' });
  const set = (state: string, as = admin, code = 'style-f') =>
    helpers.call(as, 'PUT', `/api/operator/game-providers/${code}`, { state, reason: 'new servers' });
  expect((await set('MAINTENANCE', auditor)).status).toBe(403);
  expect((await set('MAINTENANCE', admin, 'style-x')).body.message).toBe('NO_DATA');
  expect((await set('OFF')).body.message).toBe('INVALID_REQUEST');
  const news: string[] = [];
  const listener = listen(env.owner, 'member_event', (payload) => news.push(payload));
  await until(async () => listener.isHearing());
  const responses = await Promise.all(Array.from({ length: 5 }, () => set('MAINTENANCE')));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
  // Open pages of members read the games again.
  await until(async () => news.some((payload) => payload.includes('"part": "games"')));
  await listener.stop();
  const refused = [
    await move(inside, 'wallet', 'betflix', 100),
    await get(inside, `autoLogin/betflix/kp${inside.id}`),
    await get(outside, 'wallet/activate/huayhd'),
  ];
  for (const response of refused) expect(response.body).toMatchObject({ message: 'PROVIDER_UNAVAILABLE' });
  expect((await move(inside, 'betflix', 'wallet', 200)).body).toMatchObject({ status: 'SUCCESS' });
  expect((await move(outside, 'wallet', 'pg', 100)).body).toMatchObject({ status: 'SUCCESS' });
  const down = (await get(inside, 'wallet')).body.slots
    .filter((slot: { isInMaintenance: boolean }) => slot.isInMaintenance)
    .map(({ code }: { code: string }) => code);
  expect(down.toSorted()).toEqual(
    ['betflix', 'areaslot', 'slotracha', 'circus', 'imi', 'usun', 'huayhd'].toSorted(),
  );
  expect((await find(admin, 'betflix')).state).toBe('OPEN');
  expect((await set('OPEN')).status).toBe(200);
  expect((await move(inside, 'wallet', 'betflix', 100)).body).toMatchObject({ status: 'SUCCESS' });
  const { games, providers } = (await helpers.call(auditor, 'GET', GAMES)).body;
  expect(providers).toMatchObject([{ code: 'style-f', state: 'OPEN', games: 7 }, { code: 'style-j' }]);
  expect(games.find((row: { code: string }) => row.code === 'slotracha').state).toBe('MAINTENANCE');
  await change(admin, 'slotracha', { state: 'OPEN' });
  expect((await helpers.audit('provider:style-f')).map(({ action, after }) => [action, after])).toEqual([
    ['game.provider', { state: 'MAINTENANCE', games: 7 }],
    ['game.provider', { state: 'OPEN', games: 7 }],
  ]);
});

test('a game switched off is hidden, but not from a member with money in it', async () => {
  const [admin, rich, poor] = [await helpers.operator('admin'), await player('usun'), await player('usun')];
  await move(rich, 'wallet', 'usun', 100);
  await change(admin, 'usun', { state: 'OFF' });
  const shown = async (member: TestMember) => (await slots(member)).some(({ code }) => code === 'usun');
  expect([await shown(rich), await shown(poor)]).toEqual([true, false]);
  expect((await move(rich, 'usun', 'wallet', 100)).body).toMatchObject({ status: 'SUCCESS' });
  expect(await shown(rich)).toBe(false);
  // Rows of the statement keep its name.
  const { body } = await get(rich, 'wallet');
  expect(body.formerGames).toEqual([{ code: 'usun', name: (await find(admin, 'usun')).name }]);
  expect((await get(await env.member(), 'wallet')).body).not.toHaveProperty('formerGames');
  await change(admin, 'usun', { state: 'OPEN', name: 'Half Court 2' });
  expect((await get(poor, 'wallet')).body).not.toHaveProperty('formerGames');
  expect(await slots(poor)).toContainEqual(expect.objectContaining({ code: 'usun', name: 'Half Court 2' }));
});

test('a changed rate reaches an account once nothing is in it', async () => {
  const [admin, rich] = [await helpers.operator('admin'), await player('imi')];
  await move(rich, 'wallet', 'imi', 100);
  await change(admin, 'imi', { rate: 5 });
  const rate = async (member: TestMember) =>
    (await get(member, 'wallet')).body.slots.find((slot: { code: string }) => slot.code === 'imi')
      .ftWalletSlot;
  expect([await rate(rich), await rate(await player('imi'))]).toEqual([10, 5]);
  expect(await find(admin, 'imi')).toMatchObject({ accounts: 2, otherRate: 1, rate: 5 });
  // The rate of members in kip is no earlier rate, on either side of which there are some.
  await change(admin, 'imi', { rate: 20, rateLak: 4000 });
  await player('imi');
  expect(await find(admin, 'imi')).toMatchObject({ accounts: 3, otherRate: 2 });
  await change(admin, 'imi', { rate: 7, rateLak: 15 });
  expect(await find(admin, 'imi')).toMatchObject({ accounts: 3, otherRate: 3 });
  await change(admin, 'imi', { rate: 5, rateLak: null });
  expect((await move(rich, 'imi', 'wallet', 100)).body).toMatchObject({ status: 'SUCCESS' });
  await env.owner.query('update member set last_sync = null');
  await get(rich, 'wallet/refresh/slot');
  expect(await rate(rich)).toBe(5);
  expect(await env.balance(rich)).toBe(100_000n);
});

test('a rate changed while money goes in and home again makes it neither more nor less', async () => {
  const admin = await helpers.operator('admin');
  const member = await player('imi');
  await env.set('refresh.seconds', 0);
  const seen = new Set<number>();
  for (let turn = 0; turn < 12; turn++) {
    const rate = [4, 1, 2][turn % 3]!;
    await change(admin, 'imi', { rate });
    await Promise.all([
      get(member, 'wallet/refresh/slot'),
      move(member, 'wallet', 'imi', 100),
      get(member, 'wallet/refresh/slot'),
      move(member, 'wallet', 'imi', 100),
    ]);
    await env.call('POST', '/api/wallet/transferAll', { to: 'wallet' }, { token: member.token });
    expect(await env.balance(member)).toBe(100_000n);
    await get(member, 'wallet/refresh/slot');
    const { slots: games } = (await get(member, 'wallet')).body;
    seen.add(games.find((row: { code: string }) => row.code === 'imi').ftWalletSlot);
  }
  expect(seen.size).toBeGreaterThan(1);
});

test('less than its limit is not taken in', async () => {
  const [admin, member] = [await helpers.operator('admin'), await player('betflix')];
  await change(admin, 'betflix', { least: 50 });
  expect((await move(member, 'wallet', 'betflix', 49.99)).body).toMatchObject({
    message: 'TRANSFER_MINIMUM',
    data: { min: 50 },
  });
  expect((await move(member, 'wallet', 'betflix', 50)).status).toBe(200);
  expect((await move(member, 'betflix', 'wallet', 1)).body).toMatchObject({ status: 'SUCCESS' });
});

test('limit bypassed by another call: less than it is not moved in with everything either, and stays in the wallet', async () => {
  const [admin, member] = [await helpers.operator('admin'), await player('usun')];
  await change(admin, 'usun', { least: 50, rate: 1 });
  expect((await move(member, 'wallet', 'usun', 970)).status).toBe(200);
  const all = await env.call('POST', '/api/wallet/transferAll', { to: 'usun' }, { token: member.token });
  expect(all.body).toEqual({ message: 'TRANSFER_MINIMUM', data: { min: 50 } });
  expect(await env.balance(member)).toBe(3_000n);
});

test('games are ordered, and a change that another has overtaken is refused', async () => {
  const admin = await helpers.operator('admin');
  const codes: string[] = (await helpers.call(admin, 'GET', GAMES)).body.games.map(
    (row: { code: string }) => row.code,
  );
  const order = (to: string[]) => helpers.call(admin, 'POST', '/api/operator/game-order', { codes: to });
  await order(['pg', ...codes.filter((code) => code !== 'pg')]);
  expect((await slots(await env.member()))[0]?.code ?? '').not.toBe('');
  expect(
    (await helpers.call(admin, 'GET', GAMES)).body.games.find(
      (row: { category: string }) => row.category === 'slot',
    ).code,
  ).toBe('pg');
  expect((await order(codes.slice(1))).body).toMatchObject({ message: 'ROW_CHANGED' });
  const { version } = await find(admin, 'pg');
  const both = await Promise.all([2, 3].map((rate) => change(admin, 'pg', { rate, version })));
  expect(both.map((response) => response.status).toSorted()).toEqual([200, 409]);
  for (const wrong of [{ rate: 0 }, { rate: 0.0000001 }, { rateLak: 0 }, { least: 0.001 }, { state: 'GONE' }])
    expect((await change(admin, 'pg', wrong)).status).toBe(400);
  expect(
    (
      await helpers.call(admin, 'PUT', `${GAMES}/nothing`, {
        name: 'x',
        state: 'OPEN',
        rate: 1,
        rateLak: null,
        least: null,
        version: 1,
        reason: 'none',
      })
    ).status,
  ).toBe(404);
  expect((await helpers.audit('game:pg')).map((row) => row.action)).toEqual(['game.change']);
});
