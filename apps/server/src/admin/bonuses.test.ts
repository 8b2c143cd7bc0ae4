import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { databaseUrlOf } from '../crash/fixtures/server.ts';
import { WRITTEN } from '../features/bonuses/testing-bonuses.ts';
import { startTestEnv } from '../testing/test-env.ts';
import { auditAfter, commandsHere, lastAudit } from './fixtures/command-line.ts';

const env = await startTestEnv({ jobs: false });
const admin = commandsHere(await databaseUrlOf(env.pool));
const folder = mkdtempSync(join(tmpdir(), 'krapao-bonus-'));
afterAll(() => rmSync(folder, { recursive: true }));

const set = (terms: unknown) => {
  const file = join(folder, 'terms.json');
  writeFileSync(file, typeof terms === 'string' ? terms : JSON.stringify(terms));
  return admin(['bonus', 'set', file]);
};

test('a bonus is offered by a file, changed by the next, stopped, and audited', async () => {
  const member = await env.member();
  const list = async () =>
    (await env.call('GET', '/api/bonus', undefined, { token: member.token })).body.map(
      (row: { code: string }) => row.code,
    );
  const before = await lastAudit(env.owner);
  expect(await set(WRITTEN)).toEqual({ code: 0, error: '', out: 'NEWYEAR is on offer, version 1.\n' });
  expect(await list()).toContain('NEWYEAR');
  const { token } = member;
  expect((await env.call('GET', '/api/bonus/activate/NEWYEAR', undefined, { token })).status).toBe(200);
  expect((await set({ ...WRITTEN, isOpen: false, failPercent: 50 })).out).toBe(
    'NEWYEAR is stopped, version 2.\n',
  );
  expect(await list()).not.toContain('NEWYEAR');
  // Who plays keeps the terms they began with.
  const { body } = await env.call('GET', '/api/bonus/check/active', undefined, { token });
  expect(body).toMatchObject({ base: 50, target: 100, floor: 5, turnoverNeeded: 75 });
  expect(await auditAfter(env.owner, before)).toMatchObject([
    { action: 'bonus.set', subject: 'bonus:NEWYEAR', after: { version: 1 } },
    { action: 'bonus.set', after: { version: 2, isOpen: false } },
  ]);
});

test.each([
  ['its currency', { currency: 'LAK' }],
  ['its kind', { kind: 'promotion' }],
])('rule bypassed on the command line: a bonus that is there does not change %s', async (_what, change) => {
  const terms = { ...WRITTEN, code: 'SAMEUNIT' };
  await set(terms);
  expect(await set({ ...terms, ...change })).toMatchObject({ code: 1, out: '' });
  const { rows } = await env.owner.query("select currency, kind from bonus where code = 'SAMEUNIT'");
  expect(rows).toEqual([{ currency: 'BAHT', kind: 'bonus' }]);
});

test.each([
  ['no JSON', '{'],
  ['a code in small letters', { ...WRITTEN, code: 'newyear' }],
  ['success at or below the base', { ...WRITTEN, successPercent: 100 }],
  ['percent of no deposit', { ...WRITTEN, award: { percent: 10, most: null } }],
  ['parts of a satang', { ...WRITTEN, award: { fixed: 0.001 } }],
  ['an end that is no time', { ...WRITTEN, endsAt: 'tomorrow' }],
  ['an unknown field', { ...WRITTEN, colour: 'red' }],
])('%s is refused in one sentence', async (_what, terms) => {
  const ended = await set(terms);
  expect(ended.code).toBe(1);
  expect(ended.error.trim().split('\n')).toHaveLength(1);
});
