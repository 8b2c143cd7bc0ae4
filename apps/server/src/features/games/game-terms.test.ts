import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';
import { uploadFile } from '../content/testing-files.ts';

const env = await startTestEnv({ jobs: false });
const helpers = operatorHelpers(env);
const admin = await helpers.operator('admin');
const GAMES = '/api/operator/games';
const REASON = { reason: 'a new game' };

afterAll(async () => {
  expect(await verifyLedger(env.pool)).toEqual([]);
});

const game = (code: string, more: object = {}) => ({
  ...{ code, category: 'slot', provider: 'style-f', agent: code },
  ...{ name: 'เสือทอง', nameLa: 'ເສືອຄຳ', nameEn: 'Golden Tiger', picture: '' },
  ...{ web: 'https://tiger.example/play', android: '', ios: '', rate: 2, rateLak: null, least: null },
  ...REASON,
  ...more,
});
const add = (body: object, as = admin) => helpers.call(as, 'POST', GAMES, body);
const find = async (code: string) =>
  (await helpers.call(admin, 'GET', GAMES)).body.games.find((row: { code: string }) => row.code === code);
async function change(code: string, to: object) {
  const { name, state, rate, rateLak, least, version } = await find(code);
  const body = { name, state, rate, rateLak, least, version, ...REASON, ...to };
  return helpers.call(admin, 'PUT', `${GAMES}/${code}`, body);
}
const remove = async (code: string) =>
  helpers.call(admin, 'POST', `${GAMES}/${code}/remove`, { version: (await find(code)).version, ...REASON });
const slotOf = async ({ token }: TestMember, code: string, language = 'TH') =>
  (
    await env.call('GET', '/api/wallet', undefined, { token, headers: { cookie: `language=${language}` } })
  ).body.slots.find((slot: { code: string }) => slot.code === code);
const move = ({ token }: TestMember, from: string, to: string, amount: number) =>
  env.call('POST', '/api/wallet/transfer', { from, to, amount }, { token });

test('a game is added closed, opened, named in the reader’s language, illustrated, and played', async () => {
  const member = await env.member({ amountMinor: 100_000n });
  const picture = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#0b5d4e' } })
    .png()
    .toBuffer();
  const { body: file } = await uploadFile(env, admin, picture);
  await change('betflix', { state: 'OFF' });
  expect((await remove('betflix')).body).toEqual({ outcome: 'DELETED' });
  expect((await add(game('tiger', { picture: file.path, agent: 'betflix' }))).status).toBe(200);
  expect(await slotOf(member, 'tiger')).toBeUndefined();
  expect((await change('tiger', { state: 'OPEN', ios: 'https://apps.example/tiger' })).status).toBe(200);
  expect(await slotOf(member, 'tiger')).toMatchObject({
    name: 'เสือทอง',
    background: file.path,
    ...{ web: 'https://tiger.example/play', android: null, ios: 'https://apps.example/tiger' },
    ftWalletSlot: 2,
  });
  expect((await slotOf(member, 'tiger', 'LA')).name).toBe('ເສືອຄຳ');
  expect((await slotOf(member, 'tiger', 'EN')).name).toBe('Golden Tiger');
  const opened = await env.call('GET', '/api/wallet/activate/tiger', undefined, { token: member.token });
  expect(opened.status).toBe(200);
  expect((await move(member, 'wallet', 'tiger', 200)).body).toMatchObject({ status: 'SUCCESS' });
  const entered = await env.call('GET', `/api/autoLogin/tiger/kp${member.id}`, undefined, {
    token: member.token,
  });
  expect(entered.body.link).toContain('/games/betflix/');
  // The picture is in use: the sweep of unused uploads leaves it.
  await env.app.runJob('uploads.sweep');
  const { rows } = await env.owner.query('select unused_since from content_file where id = $1', [file.id]);
  expect(rows).toEqual([{ unused_since: null }]);
  expect((await helpers.audit('game:tiger')).map((row) => row.action)).toEqual(['game.add', 'game.change']);

  // Closed and removed, it still gives the money back.
  expect((await remove('tiger')).body).toMatchObject({ message: 'ROW_CHANGED', data: { state: 'OPEN' } });
  await change('tiger', { state: 'OFF' });
  expect((await remove('tiger')).body).toEqual({ outcome: 'ARCHIVED' });
  expect((await find('tiger')).isArchived).toBe(true);
  expect((await move(member, 'tiger', 'wallet', 200)).body).toMatchObject({ status: 'SUCCESS' });
  expect(await env.balance(member)).toBe(100_000n);
  expect(await slotOf(member, 'tiger')).toBeUndefined();
  // What it is called, the member's statement still says, in their language.
  const wallet = await env.call('GET', '/api/wallet', undefined, {
    token: member.token,
    headers: { cookie: 'language=EN' },
  });
  expect(wallet.body.formerGames).toEqual([{ code: 'tiger', name: 'Golden Tiger' }]);
  expect((await change('tiger', { state: 'OPEN' })).status).toBe(200);
  expect((await find('tiger')).isArchived).toBe(false);
});

test('one that no member opened is deleted; its code is free again', async () => {
  await add(game('owl'));
  expect((await add(game('owl'))).body.message).toBe('EXISTING_GAME');
  expect((await remove('owl')).body).toEqual({ outcome: 'DELETED' });
  expect(await find('owl')).toBeUndefined();
  const many = await Promise.all(Array.from({ length: 4 }, () => add(game('owl'))));
  expect(many.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
});

test('money counted twice: no two games have the same player of a provider', async () => {
  const taken = { message: 'INVALID_REQUEST', data: { field: 'agent' } };
  expect((await add(game('twin', { agent: 'circus', rate: 10 }))).body).toMatchObject(taken);
  expect((await add(game('twin', { agent: 'CIRCUS' }))).body).toMatchObject(taken);
  expect((await add(game('twin'))).status).toBe(200);
  expect((await change('twin', { agent: 'circus' })).body).toMatchObject(taken);
  expect((await change('twin', { agent: 'twin-2' })).status).toBe(200);
  const many = await Promise.all(['one', 'two'].map((code) => add(game(code, { agent: 'twin-3' }))));
  expect(many.map(({ status }) => status).toSorted()).toEqual([200, 400]);

  // A player stays where their credits are.
  const member = await env.member({ amountMinor: 10_000n });
  const open = (code: string) =>
    env.call('GET', `/api/wallet/activate/${code}`, undefined, { token: member.token });
  expect((await open('circus')).status).toBe(200);
  expect((await change('circus', { agent: 'elsewhere' })).body).toMatchObject(taken);
  expect((await change('circus', { state: 'OFF' })).status).toBe(200);
  expect((await remove('circus')).body).toEqual({ outcome: 'ARCHIVED' });
  expect((await change('twin', { agent: 'circus' })).body).toMatchObject(taken);

  // Two such games of an earlier release: the second is not opened.
  await env.owner.query("update slot set agent = 'circus', is_open = true where code in ('twin', 'circus')");
  expect((await open('twin')).body).toMatchObject({ message: 'SLOT_ALREADY_ACTIVE' });
});

test.each([
  ['a code in capitals', { code: 'TIGER' }],
  ['a provider without an adapter', { provider: 'style-x' }],
  ['an agent that leaves its path', { agent: '../other' }],
  ['a link without TLS', { web: 'http://plain.example' }],
  ['a picture of elsewhere', { picture: 'https://evil.example/a.jpg' }],
  ['a picture that was never uploaded', { picture: '/media/AAAAAAAAAAAAAAAAAAAA.jpg' }],
  ['a rate of nothing', { rate: 0 }],
  ['no reason', { reason: '' }],
])('%s is refused', async (_what, wrong) => {
  expect((await add(game('wrong', wrong))).status).toBe(400);
});

test('a game takes no code that transfers and statements use for another place', async () => {
  for (const code of [
    'wallet',
    'all',
    'manual',
    'gift',
    'bonus',
    'promotion',
    'invite',
    'refund',
    'luckydraw',
  ])
    expect(await add(game(code, { agent: `${code}-agent` }))).toMatchObject({
      status: 400,
      body: { message: 'INVALID_REQUEST', data: { field: 'code' } },
    });
});

test('only who manages settings adds, tests and names', async () => {
  const auditor = await helpers.operator('auditor');
  const calls = [
    await add(game('fox'), auditor),
    await helpers.call(auditor, 'POST', '/api/operator/game-test', { provider: 'style-f', agent: 'pg' }),
  ];
  expect(calls.map(({ status }) => status)).toEqual([403, 403]);
});

test('a test call reports whether the provider is reached, and contains no secret', async () => {
  const probe = async (provider: string, agent: string) =>
    (await helpers.call(admin, 'POST', '/api/operator/game-test', { provider, agent })).body;
  for (const [provider, agent] of [
    ['style-f', 'betflix'],
    ['style-j', 'pg'],
  ] as const)
    expect(await probe(provider, agent)).toMatchObject({ outcome: 'REACHED', detail: 'NO_USER' });
  expect((await probe('style-f', 'nobody-there')).outcome).not.toBe('REACHED');
  await env.fault({ party: 'game-f', kind: 'outage' });
  expect((await probe('style-f', 'betflix')).outcome).toBe('SILENT');
  await env.control('faults', { clear: true });
  expect((await probe('style-x', 'pg')).message).toBe('NO_DATA');
  const trail = JSON.stringify(await helpers.audit('provider:style-f'));
  expect(trail).toContain('"agent":"betflix"');
  expect(trail).not.toMatch(/sandbox-|http/);
});

test('a provider is named in three languages, and by its standard name again', async () => {
  const path = '/api/operator/game-providers/style-j';
  const names = { th: 'ค่ายเจ', la: 'ຄ້າຍເຈ', en: 'Studio J' };
  const nameOf = async () =>
    (await helpers.call(admin, 'GET', GAMES)).body.providers.find(
      (row: { code: string }) => row.code === 'style-j',
    );
  expect((await helpers.call(admin, 'PUT', `${path}/names`, { names, ...REASON })).status).toBe(200);
  expect(await nameOf()).toMatchObject({ names, missing: [], state: 'OPEN' });
  const none = { th: '', la: '', en: ' ' };
  await helpers.call(admin, 'PUT', `${path}/names`, { names: none, ...REASON });
  expect((await nameOf()).names).toEqual({ th: '', la: '', en: '' });
});
