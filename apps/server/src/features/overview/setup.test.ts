import { expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { readSetup } from './setup.ts';

const env = await startTestEnv({ jobs: false });
const { deps } = env.app;
const helpers = operatorHelpers(env);
const read = async (config: object = {}) => {
  const { items } = await readSetup({ ...deps, config: { ...deps.config, DEMO: 'false', ...config } });
  return Object.fromEntries(items.map(({ code, isDone }) => [code, isDone]));
};

test('a demo needs nothing', async () => {
  const admin = await helpers.operator('admin');
  const { body } = await helpers.call(admin, 'GET', '/api/operator/setup');
  expect(body).toEqual({ items: [] });
});

test('each item ends by its fact', async () => {
  await env.owner.query('update slot set is_open = false; update deposit_account set is_paused = true;');
  await env.owner.query("update operator set status = 'SUSPENDED'");
  expect(Object.values(await read()).filter(Boolean)).toHaveLength(1);
  // The sandbox is a source of payouts, but not in production.
  expect([(await read()).payout, (await read({ production: true, BANK_A_KEY: '' })).payout]).toEqual([
    true,
    false,
  ]);
  const admin = await helpers.operator('admin');
  expect((await read()).administrators).toBe(false);
  await env.set('desk.makerChecker', false);
  expect((await read()).administrators).toBe(true);
  await env.set('desk.makerChecker', true);
  for (const role of ['admin', 'finance', 'finance']) await helpers.operator(role);
  expect(await read()).toMatchObject({ administrators: true, cashiers: false });
  await helpers.operator('finance-lead');
  await env.owner.query("update slot set is_open = true where code = 'pg'");
  await env.owner.query("update deposit_account set is_paused = false where bank_code = 'WW'");
  expect(await read()).toMatchObject({ cashiers: true, game: true, 'deposit-account': true, contact: false });
  const words = { contactText: 'ถามได้', lineName: '@new', lineLink: 'https://line.me/x' };
  const path = '/api/operator/content/contact';
  const draft = await helpers.call(admin, 'PUT', `${path}/draft`, {
    words: { th: words, la: words, en: words },
    after: null,
  });
  await helpers.call(admin, 'POST', `${path}/publish`, { draft: draft.body.id, reason: 'ours' });
  expect(await read()).toMatchObject({ contact: true, site: false, backup: false });
  expect((await read({ DATABASE_URL: 'postgres://db/krapao' })).backup).toBe(true);
});
