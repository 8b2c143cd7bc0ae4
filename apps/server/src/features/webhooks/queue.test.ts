import type { WebhookEventType } from '@krapao/contract/operator';
import { afterEach, describe, expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { startReceiver } from './testing-receiver.ts';

const env = await startTestEnv({ environment: { WEBHOOK_ADDRESSES: '127.0.0.1', WEBHOOK_HTTP: 'yes' } });
const operators = operatorHelpers(env);
const admin = await operators.operator('admin');
const receiver = await startReceiver();
const { received } = receiver;
const REASON = 'a test of the queue of webhooks';

async function done(method: string, path: string, body?: object) {
  const response = await operators.call(admin, method, `/api/operator/webhooks${path}`, body);
  expect([path, response.status, response.body]).toEqual([path, 200, response.body]);
  return response.body;
}
async function endpoint(path: string, events: readonly WebhookEventType[]): Promise<string> {
  const fields = { description: 'test', events, currency: null, reason: REASON };
  return (await done('POST', '', { ...fields, url: `${receiver.url}${path}` })).id;
}
const list = async (): Promise<{ id: string; waiting: number }[]> => (await done('GET', '')).webhooks;
const remove = (id: string) => done('POST', `/${id}/remove`, { reason: REASON });
const countOf = (path: string) => received.filter((one) => one.path === path).length;

afterEach(async () => {
  receiver.respond(() => ({ status: 200 }));
  for (const { id } of await list()) await remove(id);
  received.length = 0;
});

describe('endpoints that do not respond', () => {
  test('do not delay another endpoint', async () => {
    receiver.respond(({ path }) => (path.startsWith('/silent') ? null : { status: 200 }));
    for (let number = 1; number <= 4; number++) await endpoint(`/silent${number}`, ['member.registered']);
    await endpoint('/healthy', ['member.suspended']);
    const member = await env.member();
    for (let number = 1; number <= 9; number++) await env.member();
    await until(async () => received.length === 32);
    await env.owner.query("update member set status = 'SUSPENDED' where id = $1", [member.id]);
    await until(async () => countOf('/healthy') === 1);
    const { rows } = await env.owner.query(
      `select count(*)::int as n from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id
       where d.type = 'member.registered'`,
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});
