import { expect, test } from 'vitest';
import { databaseUrlOf } from '../crash/fixtures/server.ts';
import { operatorHelpers } from '../testing/operator.ts';
import { startTestEnv } from '../testing/test-env.ts';
import { auditAfter, commandsHere, lastAudit } from './fixtures/command-line.ts';

const env = await startTestEnv({ jobs: false });
const admin = commandsHere(await databaseUrlOf(env.pool));
const operators = operatorHelpers(env);

test('a webhook is listed, disabled, enabled, given a new secret and replayed, each audited', async () => {
  expect((await admin(['webhook', 'list'])).out).toBe('There are no webhooks.\n');
  const { body } = await operators.call(await operators.operator('admin'), 'POST', '/api/operator/webhooks', {
    url: 'https://hooks.example/',
    description: 'books',
    events: ['member.suspended'],
    currency: null,
    reason: 'a test of commands',
  });
  const { id } = body;
  const before = await lastAudit(env.owner);
  expect((await admin(['webhook', 'disable', id, 'they moved'])).out).toBe(`${id} is disabled.\n`);
  expect((await admin(['webhook', 'list'])).out).toBe(
    `${id}  DISABLED (they moved)  https://hooks.example/  0 waiting\n`,
  );
  const replay = ['webhook', 'replay', id, '2026-01-01', '2027-01-01'];
  expect(await admin(replay)).toMatchObject({ code: 1, error: `${id} is disabled; enable it first.\n` });
  expect((await admin(['webhook', 'enable', id, 'they are back'])).out).toBe(`${id} is enabled.\n`);
  expect((await admin(replay)).out).toBe('0 events wait to be delivered again.\n');
  expect((await admin(['webhook', 'rotate', id])).out).toMatch(/\n {2}whsec_[\w+/]{43}=\n$/);
  expect((await admin(['webhook', 'replay', id, 'soon', '2027-01-01'])).code).toBe(1);
  expect(await admin(['webhook', 'rotate', 'WH0'])).toMatchObject({
    code: 1,
    error: 'There is no webhook WH0.\n',
  });
  expect(await auditAfter(env.owner, before)).toMatchObject([
    { action: 'webhook.state', subject: `webhook:${id}`, after: { state: 'DISABLED' } },
    { action: 'webhook.state', after: { state: 'ENABLED' } },
    { action: 'webhook.replay' },
    { action: 'webhook.rotate' },
  ]);
});
