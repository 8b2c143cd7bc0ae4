import type { WebhookEventType } from '@krapao/contract/operator';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../platform/transaction.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, until } from '../../testing/test-env.ts';
import { webhookJobs } from './deliveries.ts';
import { lockWebhooks, takeDeliveries } from './queue-queries.ts';
import { startWebhookSender } from './sender.ts';
import { startReceiver } from './testing-receiver.ts';

const env = await startTestEnv({
  jobs: false,
  environment: { WEBHOOK_ADDRESSES: '127.0.0.1', WEBHOOK_HTTP: 'yes' },
});
const errors: unknown[] = [];
const sender = startWebhookSender({ ...env.app.deps, pool: env.pool }, (error) => errors.push(error));
afterAll(async () => {
  await sender.stop();
  expect(errors).toEqual([]);
});
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
type Listed = { id: string; state: string; waiting: number };
const list = async (): Promise<Listed[]> => (await done('GET', '')).webhooks;
const read = async (id: string) => (await list()).find((one) => one.id === id);
const setState = (id: string, state: string) => done('POST', `/${id}/state`, { state, reason: REASON });
const runJob = () => webhookJobs(env.app.deps).tasks['webhooks.forget']!({});
const remove = (id: string) => done('POST', `/${id}/remove`, { reason: REASON });
const countOf = (path: string) => received.filter((one) => one.path === path).length;

afterEach(async () => {
  receiver.respond(() => ({ status: 200 }));
  for (const { id } of await list()) await remove(id);
  await runJob();
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

describe('an endpoint with very many deliveries', () => {
  const MANY = 12_000;
  let serial = 0;
  /** Gives an endpoint deliveries in a state, each with an attempt; those that wait are not due. */
  async function fill(id: string, state: 'WAITING' | 'DELIVERED'): Promise<void> {
    serial += 1;
    await env.owner.query(
      `with events as (
         insert into webhook_event (id, type, subject, data, created_at, is_pending)
         select 'evt_many' || $4::int || '_' || n, 'member.closed', 'member:many' || n, '{}', now(), false
         from generate_series(1, $3::int) n returning number, subject, type),
       made as (
         insert into webhook_delivery (endpoint_id, event_number, subject, type, state, due_at, created_at, ended_at)
         select $1, number, subject, type, $2, 'infinity', now(), case when $2 <> 'WAITING' then now() end from events
         returning id)
       insert into webhook_attempt (delivery_id, at, status, latency_ms, response)
       select id, now(), 500, 5, 'no' from made`,
      [id, state, MANY, serial],
    );
  }
  const countIn = async (id: string, state: string): Promise<number> =>
    (
      await env.owner.query(
        'select count(*)::int as n from webhook_delivery where endpoint_id = $1 and state = $2',
        [id, state],
      )
    ).rows[0].n;

  test('is removed at once for operators, and its deliveries go in portions', async () => {
    const id = await endpoint('/removed', ['member.suspended']);
    await fill(id, 'DELIVERED');
    await fill(id, 'WAITING');
    const [delivery] = (await done('GET', `/${id}/deliveries`)).deliveries;
    await remove(id);
    expect(await countIn(id, 'DELIVERED')).toBe(MANY);
    expect(await read(id)).toBeUndefined();
    for (const [method, path] of [
      ['GET', `webhooks/${id}/deliveries`],
      ['GET', `webhook-deliveries/${delivery.id}`],
      ['POST', `webhook-deliveries/${delivery.id}/replay`],
      ['POST', `webhooks/${id}/test`],
    ] as const)
      expect([path, (await operators.call(admin, method, `/api/operator/${path}`)).status]).toEqual([
        path,
        404,
      ]);
    const { rows: events } = await env.owner.query('select count(*)::int as n from webhook_event');
    await env.owner.query('update webhook_delivery set due_at = now() where endpoint_id = $1', [id]);
    const member = await env.member();
    await env.owner.query("update member set status = 'SUSPENDED' where id = $1", [member.id]);
    expect((await env.owner.query('select count(*)::int as n from webhook_event')).rows).toEqual(events);
    await runJob();
    expect(received).toEqual([]);
    for (const state of ['WAITING', 'DELIVERED']) expect(await countIn(id, state)).toBe(0);
    const { rows } = await env.owner.query(
      'select (select count(*) from webhook_endpoint)::int as endpoints, (select count(*) from webhook_attempt)::int as n',
    );
    expect(rows).toEqual([{ endpoints: 0, n: 0 }]);
  });

  test('leaves its place to another one at once, and its secret does not stay', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 20; number++) ids.push(await endpoint('/full', ['member.closed']));
    await fill(ids[0]!, 'DELIVERED');
    await remove(ids[0]!);
    await endpoint('/full', ['member.closed']);
    expect(await list()).toHaveLength(20);
    const { rows } = await env.owner.query(
      'select length(secret_sealed) as secret, former_secret_sealed as former from webhook_endpoint where id = $1',
      [ids[0]],
    );
    expect(rows).toEqual([{ secret: 0, former: null }]);
  });

  test('that is removed while a delivery is under way opens no alert', async () => {
    let respond: (() => void) | undefined;
    const id = await endpoint('/gone', ['member.suspended']);
    receiver.respond((one) => {
      respond = () => one.reply({ status: 410 });
      return null;
    });
    const member = await env.member();
    await env.owner.query("update member set status = 'SUSPENDED' where id = $1", [member.id]);
    await until(async () => respond !== undefined);
    await remove(id);
    respond!();
    await until(async () => {
      const { rows } = await env.owner.query(
        `select 1 from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id
         where d.endpoint_id = $1 and a.status = 410`,
        [id],
      );
      return rows.length === 1;
    });
    const { rows } = await env.owner.query('select 1 from alert where subject = $1 and closed_at is null', [
      `webhook:${id}`,
    ]);
    expect(rows).toEqual([]);
  });

  test('is disabled at once, and what waits is skipped in portions', async () => {
    const id = await endpoint('/disabled', ['member.suspended']);
    await fill(id, 'WAITING');
    await setState(id, 'DISABLED');
    expect(await read(id)).toMatchObject({ state: 'DISABLED', waiting: MANY - 10_000 });
    await env.owner.query('update webhook_delivery set due_at = now() where endpoint_id = $1', [id]);
    await runJob();
    expect(await read(id)).toMatchObject({ waiting: 0 });
    expect(await countIn(id, 'SKIPPED')).toBe(MANY);
    expect(received).toEqual([]);
  });

  test('is enabled only when what waited before is skipped, also while the planner takes the table for empty', async () => {
    const id = await endpoint('/enabled', ['member.suspended']);
    await env.owner.query('alter table webhook_delivery set (autovacuum_enabled = false)');
    // Its pages stay when they hold no rows.
    await fill(id, 'DELIVERED');
    await env.owner.query('delete from webhook_delivery');
    await env.owner.query('analyze webhook_delivery');
    await fill(id, 'WAITING');
    // Within the time that the database gives a statement.
    await inTransaction(env.pool, async (tx) => {
      await lockWebhooks(tx);
      const limits = { endpointMax: 4, ownMax: 2, totalMax: 40, leaseMs: 0 };
      await takeDeliveries(tx, env.app.deps.clock.now(), limits);
    });
    await setState(id, 'DISABLED');
    await setState(id, 'ENABLED');
    expect(await read(id)).toMatchObject({ state: 'ENABLED', waiting: 0 });
    expect(await countIn(id, 'SKIPPED')).toBe(MANY);
  });
});
