import { expect, test } from 'vitest';
import { operatorHelpers } from '../../../testing/operator.ts';
import { startTestEnv } from '../../../testing/test-env.ts';
import { slipHelpers } from './testing-slips.ts';

const env = await startTestEnv({ jobs: false, environment: { VARIANT: 'la' } });
const operators = operatorHelpers(env);
const { make, upload } = slipHelpers(env);
await env.app.runJob('feeds.read');

test('a failed slip of a member in kip is in baht everywhere, as it was paid', async () => {
  const member = await env.member();
  const slip = await make(member, { kind: 'wrong-receiver', amount: '250.75' });
  await env.owner.query("update member set currency = 'LAK' where id = $1", [member.id]);
  const { body } = await upload(member, slip.bytes);
  // The receipt has no currency but the member's.
  expect(body).toMatchObject({ status: 'FAILED', message: 'INVALID_DESTINATION_ACCOUNT', amount: 0 });
  const list = { page: 1, limit: 10 };
  const { slips } = (await env.call('POST', '/api/statement/slip', list, { token: member.token })).body;
  expect(slips).toMatchObject([{ amount: 250.75, currency: 'BAHT' }]);
  const support = await operators.operator('support');
  const read = async (path: string) => (await operators.call(support, 'GET', `/api/operator/${path}`)).body;
  const waiting = await read('slips?status=FAILED');
  expect(waiting.slips).toMatchObject([{ amount: 250.75, currency: 'BAHT' }]);
  expect(waiting.sums).toEqual([{ currency: 'BAHT', amount: 250.75 }]);
  const { rows } = await read(`members/${member.id}/timeline?kind=money`);
  expect(rows).toMatchObject([{ what: 'slip', amount: null, subject: `slip:${body.id}` }]);
});

test('a slip of a member in baht names no currency', async () => {
  const member = await env.member();
  const slip = await make(member, { kind: 'wrong-receiver', amount: '250.75' });
  expect((await upload(member, slip.bytes)).body).toMatchObject({ status: 'FAILED', amount: 250.75 });
  const list = { page: 1, limit: 10 };
  const { slips } = (await env.call('POST', '/api/statement/slip', list, { token: member.token })).body;
  expect(slips).toMatchObject([{ amount: 250.75 }]);
  expect(slips[0]).not.toHaveProperty('currency');
});
