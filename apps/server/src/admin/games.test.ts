import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { databaseUrlOf } from '../crash/fixtures/server.ts';
import { startTestEnv } from '../testing/test-env.ts';
import { auditAfter, commandsHere, lastAudit } from './fixtures/command-line.ts';

const env = await startTestEnv({ jobs: false });
const admin = commandsHere(await databaseUrlOf(env.pool));
const folder = mkdtempSync(join(tmpdir(), 'krapao-game-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (written: unknown) => {
  const file = join(folder, 'written.json');
  writeFileSync(file, JSON.stringify(written));
  return file;
};
const GAME = {
  ...{ code: 'tiger', category: 'slot', provider: 'style-f', agent: 'tiger' },
  ...{ name: 'เสือทอง', nameLa: null, nameEn: 'Golden Tiger', picture: '', web: '', android: '', ios: '' },
  ...{ rate: 2, rateLak: null, least: null, state: 'OPEN' },
};
const set = (game: object) => admin(['game', 'set', fileOf(game)]);

test('a game is added by a file, changed by the next, removed, and audited', async () => {
  const { token } = await env.member();
  const shown = async () =>
    (await env.call('GET', '/api/wallet', undefined, { token })).body.slots.find(
      (slot: { code: string }) => slot.code === 'tiger',
    );
  const before = await lastAudit(env.owner);
  expect(await set(GAME)).toEqual({ code: 0, error: '', out: 'tiger is OPEN.\n' });
  expect(await shown()).toMatchObject({ name: 'เสือทอง', ftWalletSlot: 2 });
  expect((await set({ ...GAME, rate: 5, state: 'OFF' })).code).toBe(0);
  expect((await admin(['game', 'list'])).out).toContain(
    'tiger  เสือทอง  slot  style-f/tiger  OFF  5 baht a credit',
  );
  expect((await admin(['game', 'remove', 'tiger'])).out).toBe('tiger is DELETED.\n');
  expect(await auditAfter(env.owner, before)).toMatchObject([
    { action: 'game.add', subject: 'game:tiger', after: { rate: 2 } },
    { action: 'game.change', after: { state: 'OPEN' } },
    { action: 'game.change', before: { rate: 2 }, after: { rate: 5, state: 'OFF' } },
    { action: 'game.remove', after: { state: 'DELETED' } },
  ]);
});

test.each([
  ['an unknown field', { ...GAME, colour: 'red' }],
  ['a provider without an adapter', { ...GAME, provider: 'style-x' }],
  ['another provider for a known code', { ...GAME, code: 'betflix', provider: 'style-j' }],
  ['no category', { ...GAME, category: undefined }],
])('%s is refused in one sentence', async (_what, game) => {
  const ended = await set(game);
  expect(ended.code).toBe(1);
  expect(ended.error.trim().split('\n')).toHaveLength(1);
});

test('an open game is not removed', async () => {
  expect(await admin(['game', 'remove', 'betflix'])).toMatchObject({
    code: 1,
    error: 'ROW_CHANGED OPEN: nothing was changed.\n',
  });
});

const ACCOUNT = {
  ...{ bankCode: 'KTB', bankType: 'BANK', mode: 'AUTO', accountName: 'KRAPAO CO LTD' },
  ...{ accountNo: '9998887776', currency: 'BAHT', staticQr: null, replaces: null },
};
const addAccount = (account: object) => admin(['deposit-account', 'add', fileOf(account)]);

test('a deposit account is offered by a file, once', async () => {
  const before = await lastAudit(env.owner);
  expect((await addAccount(ACCOUNT)).out).toMatch(/^deposit-account:\d+ is offered: KTB AUTO 9998887776\n$/);
  expect((await admin(['deposit-account', 'list'])).out).toContain('KTB  AUTO  9998887776  KRAPAO CO LTD');
  expect(await auditAfter(env.owner, before)).toMatchObject([
    { action: 'channel.add', after: { number: '9998887776' } },
  ]);
  expect(await addAccount(ACCOUNT)).toMatchObject({
    code: 1,
    error: 'INVALID_REQUEST accountNo: nothing was changed.\n',
  });
});
