import { createHmac } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@krapao/contract/durations';
import { WEBHOOK_EVENTS, type WebhookEventType } from '@krapao/contract/operator';
import { Value } from 'typebox/value';
import { beforeEach, describe, expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { bonusHelpers } from '../bonuses/testing-bonuses.ts';
import { gameHelpers } from '../games/testing-games.ts';
import { pushedClock } from '../testing.ts';
import { lockWebhooks, takeDeliveries } from './queue-queries.ts';
import { startWebhookSender } from './sender.ts';
import { type Received, startReceiver } from './testing-receiver.ts';

const clock = pushedClock();
const env = await startTestEnv({
  clock,
  environment: { WEBHOOK_ADDRESSES: '127.0.0.1', WEBHOOK_HTTP: 'yes' },
});
const operators = operatorHelpers(env);
const admin = await operators.operator('admin');
// The clock is pushed for days while the operator works on.
await env.owner.query(
  "update operator_session set seen_at = now() + interval '60 days', expires_at = now() + interval '90 days'",
);
const receiver = await startReceiver();
const { received } = receiver;
const ALL = Object.keys(WEBHOOK_EVENTS) as WebhookEventType[];
const REASON = 'a test of webhooks';

const call = (method: string, path: string, body?: object) =>
  operators.call(admin, method, `/api/operator/${path}`, body);
/** Calls an operator call that must succeed. */
async function done(method: string, path: string, body?: object) {
  const response = await call(method, path, body);
  expect([path, response.status, response.body]).toEqual([path, 200, response.body]);
  return response.body;
}
async function endpoint(events: readonly string[] = ALL, change: object = {}) {
  const body = {
    url: `${receiver.url}/hook`,
    description: 'test',
    events,
    currency: null,
    reason: REASON,
    ...change,
  };
  return (await done('POST', 'webhooks', body)) as { id: string; secret: string };
}
const read = async (id: string) =>
  (await done('GET', 'webhooks')).webhooks.find((one: { id: string }) => one.id === id);
const log = async (id: string, query = '') =>
  (await done('GET', `webhooks/${id}/deliveries${query}`)).deliveries;
const deliveredOf = (id: string) => log(id, '?state=DELIVERED&limit=100');
const idsOf = (requests: readonly Received[]) => requests.map(({ headers }) => headers['webhook-id']);
const suspend = (member: TestMember, status: string) =>
  env.owner.query('update member set status = $2 where id = $1', [member.id, status]);
/** Alerts about an endpoint, by their detail and end. */
const alerts = async (id: string) =>
  (
    await env.owner.query(
      "select detail, closed_at is null as open from alert where kind = 'webhook-failing' and subject = $1",
      [`webhook:${id}`],
    )
  ).rows;

/** Verifies a request as a receiver does with the Standard Webhooks specification only. */
function isSignedBy(secret: string, { headers, text }: Received): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}

beforeEach(async () => {
  for (const { id } of (await done('GET', 'webhooks')).webhooks)
    await done('POST', `webhooks/${id}/remove`, { reason: REASON });
  received.length = 0;
  receiver.respond(() => ({ status: 200 }));
});

describe('events', () => {
  test('of every type reach the endpoint in the declared shape, written with what they report', async () => {
    const { id, secret } = await endpoint();
    const bonuses = bonusHelpers(env);
    const games = gameHelpers(env);
    const member = await env.member({ amountMinor: 500_000n });
    const deposit = await bonuses.deposit(member, 100);
    const poor = await env.member({ amountMinor: 300_000n });
    const paid = await bonuses.withdraw(member, 200);
    const refused = await bonuses.withdraw(poor, 2500);
    const lead = await operators.operator('finance-lead');
    expect([paid.status, refused.status, refused.body]).toMatchObject([200, 200, {}]);
    const refusal = { status: 'REVIEW', reason: REASON };
    const path = `/api/operator/withdrawals/${refused.body.id}`;
    await operators.call(lead, 'POST', `${path}/claim`, {});
    const rejected = await operators.call(lead, 'POST', `${path}/reject`, refusal);
    expect([rejected.status, rejected.body]).toMatchObject([200, {}]);
    const slot = 'betflix';
    expect(await games.open(member, slot)).toMatchObject({ status: 200 });
    expect(await games.transfer(member, 'wallet', slot, 100)).toMatchObject({ status: 200 });
    await games.settle(member);
    const player = await env.member();
    const code = await bonuses.offer({ fail_percent: 0 });
    await bonuses.deposit(player, 50);
    expect(await bonuses.activate(player, code)).toMatchObject({ status: 200 });
    expect(await bonuses.forfeit(player)).toMatchObject({ status: 200 });
    for (const status of ['SUSPENDED', 'ACTIVE', 'CLOSED']) await suspend(poor, status);
    await until(async () => received.some(({ event }) => event.type === 'withdrawal.paid'));
    await env.owner.query(
      "insert into payout_return (id, withdrawal_id, member_id, amount, proof, entry_id, created_at) values ('RT1', $1, $2, 20000, 'x', 1, now())",
      [paid.body.id, member.id],
    );
    await env.owner.query(
      `insert into reversal (id, member_id, deposit_id, amount, reason, entry_id, created_at) values ('RV1', $1, $2, 10000, 'x', 1, now())`,
      [member.id, deposit],
    );
    const types = () => new Set(received.map(({ event }) => event.type));
    await until(async () => ALL.every((type) => types().has(type)), 20_000).catch(() =>
      expect([...types()].toSorted()).toEqual(ALL.toSorted()),
    );
    for (const one of received) {
      expect(Object.keys(one.event)).toEqual(['id', 'type', 'timestamp', 'data']);
      const { data } = WEBHOOK_EVENTS[one.event.type as WebhookEventType];
      expect([one.event, [...Value.Errors(data, one.event.data)]]).toEqual([one.event, []]);
      expect(one.event.id).toBe(one.headers['webhook-id']);
      expect(isSignedBy(secret, one)).toBe(true);
      expect(Math.abs(Number(one.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
    }
    expect(new Set(idsOf(received)).size).toBe(received.length);
    // A delivery is noted after its response.
    await until(async () => (await deliveredOf(id)).length === received.length);
  });

  test('are left out where no endpoint wants their type or currency, and are not stored', async () => {
    await endpoint(['member.suspended'], { currency: 'LAK' });
    const before = (await env.owner.query('select count(*) as n from webhook_event')).rows[0].n;
    const member = await env.member();
    await suspend(member, 'SUSPENDED');
    expect((await env.owner.query('select count(*) as n from webhook_event')).rows[0].n).toBe(before);
  });

  test('of a transaction that is rolled back do not exist', async () => {
    await endpoint(['member.suspended', 'member.closed']);
    const member = await env.member();
    const client = await env.owner.connect();
    await client.query('begin');
    await client.query("update member set status = 'SUSPENDED' where id = $1", [member.id]);
    await client.query('rollback');
    client.release();
    await suspend(member, 'CLOSED');
    await until(async () => received.length > 0);
    expect(received.map(({ event }) => event.type)).toEqual(['member.closed']);
  });
});

describe('delivery', () => {
  test('B57: a receiver that fails twice gets the event the third time, under the same id', async () => {
    const { id } = await endpoint(['member.registered']);
    receiver.respond(() => ({ status: received.length < 3 ? 500 : 200, body: 'no\u0000t now' }));
    const member = await env.member();
    for (const count of [1, 2]) {
      await until(async () => (await log(id))[0]?.attempts === count);
      clock.push(HOUR_MS);
    }
    await until(async () => (await log(id))[0].state === 'DELIVERED');
    expect(received).toHaveLength(3);
    expect(new Set(idsOf(received)).size).toBe(1);
    expect(new Set(received.map(({ text }) => text)).size).toBe(1);
    expect(received.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3']);
    expect(received[0]!.event.data).toMatchObject({ memberId: String(member.id), currency: 'BAHT' });
    const [{ id: deliveryId }] = await log(id);
    const { attempts, body } = await done('GET', `webhook-deliveries/${deliveryId}`);
    expect(attempts).toMatchObject([
      { status: 500, response: 'no\ufffdt now' },
      { status: 500 },
      { status: 200 },
    ]);
    expect(body).toBe(received[0]!.text);
  });

  test("a member's later event waits for the earlier one; other members' do not", async () => {
    const { id } = await endpoint(['member.suspended', 'member.reactivated']);
    const [first, other] = [await env.member(), await env.member()];
    let isDown = true;
    const of = (member: TestMember) =>
      received
        .filter(({ event }) => event.data.memberId === String(member.id))
        .map(({ event }) => event.type);
    receiver.respond(({ event }) => ({
      status: isDown && event.data.memberId === String(first.id) ? 503 : 200,
    }));
    await suspend(first, 'SUSPENDED');
    await suspend(first, 'ACTIVE');
    await suspend(other, 'SUSPENDED');
    await suspend(other, 'ACTIVE');
    await until(async () => of(other).length === 2 && of(first).length === 1);
    await until(async () => (await read(id)).waiting === 2);
    isDown = false;
    clock.push(HOUR_MS);
    await until(async () => of(first).length === 3);
    expect(of(first)).toEqual(['member.suspended', 'member.suspended', 'member.reactivated']);
    expect(of(other)).toEqual(['member.suspended', 'member.reactivated']);
  });

  test('after a kill between sending and noting it is sent again under the same id', async () => {
    const { id } = await endpoint(['member.suspended']);
    await done('POST', `webhooks/${id}/state`, { state: 'DISABLED', reason: REASON });
    const member = await env.member();
    await suspend(member, 'SUSPENDED');
    await until(async () => (await log(id))[0]?.state === 'SKIPPED');
    const tx = await env.pool.connect();
    await tx.query('begin');
    await lockWebhooks(tx);
    await tx.query("update webhook_endpoint set state = 'ENABLED', disabled_reason = null where id = $1", [
      id,
    ]);
    await tx.query("update webhook_delivery set state = 'WAITING', ended_at = null where endpoint_id = $1", [
      id,
    ]);
    const limits = { endpointMax: 8, ownMax: 2, totalMax: 8, leaseMs: 60_000 };
    const [taken] = await takeDeliveries(tx, clock.now(), limits);
    await tx.query('commit');
    tx.release();
    // The worker that held it sent it and crashed.
    await env.app.deps.webhooks.send(
      taken!.url,
      { 'webhook-id': taken!.event_id, 'webhook-attempt': '1' },
      '{}',
    );
    await env.owner.query('update webhook_delivery set leased_until = now() where endpoint_id = $1', [id]);
    await until(async () => received.length === 2);
    expect(new Set(idsOf(received))).toEqual(new Set([taken!.event_id]));
    expect(received.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2']);
  });

  test('two servers at once send each event once', async () => {
    await endpoint(['member.suspended', 'member.reactivated']);
    const errors: unknown[] = [];
    const second = startWebhookSender({ ...env.app.deps, pool: env.pool }, (error) => errors.push(error));
    const members = await Promise.all(Array.from({ length: 5 }, () => env.member()));
    for (let round = 0; round < 10; round++)
      await Promise.all(members.map((member) => suspend(member, round % 2 === 0 ? 'SUSPENDED' : 'ACTIVE')));
    await until(async () => received.length >= 50);
    await second.stop();
    expect([received.length, new Set(idsOf(received)).size, errors]).toEqual([50, 50, []]);
    for (const member of members) {
      const types = received.filter(({ event }) => event.data.memberId === String(member.id));
      expect(types.map(({ event }) => event.type)).toEqual(
        Array.from({ length: 10 }, (_, round) =>
          round % 2 === 0 ? 'member.suspended' : 'member.reactivated',
        ),
      );
    }
  });

  test('a redirect is a failure and leads nowhere; a name of the own network is not called', async () => {
    const { id } = await endpoint(['member.closed']);
    receiver.respond(({ path }) =>
      path === '/hook'
        ? { status: 307, headers: { location: `${receiver.url}/elsewhere` } }
        : { status: 200 },
    );
    // The allow list names the address alone, and the resolver gives the name another one too.
    const named = await endpoint(['member.closed'], {
      url: receiver.url.replace('127.0.0.1', '[::ffff:127.0.0.2]'),
    }).then(
      () => 'taken',
      () => 'refused',
    );
    expect(named).toBe('refused');
    await suspend(await env.member(), 'CLOSED');
    await until(async () => (await log(id))[0]?.status === 307);
    expect(received.map(({ path }) => path)).toEqual(['/hook']);
  });
});

describe('an endpoint that keeps failing', () => {
  test('opens an alert after an hour, is disabled after three days, and starts again when enabled', async () => {
    const { id } = await endpoint(['member.suspended', 'member.closed']);
    receiver.respond(() => ({ status: 500 }));
    const member = await env.member();
    await suspend(member, 'SUSPENDED');
    await suspend(member, 'CLOSED');
    const seen = async (): Promise<number> => (await log(id)).at(-1)?.attempts ?? 0;
    const begun = clock.now().getTime();
    for (let count = 1; count <= 13; count++) {
      await until(async () => (await seen()) >= count);
      if (count === 8) expect(await alerts(id)).toEqual([{ detail: 'FAILING', open: true }]);
      const [{ due_at: due }] = (
        await env.owner.query(
          'select due_at from webhook_delivery where endpoint_id = $1 order by id limit 1',
          [id],
        )
      ).rows;
      clock.push(due.getTime() - clock.now().getTime() + 1);
    }
    await until(async () => (await read(id)).state === 'DISABLED');
    expect(clock.now().getTime() - begun).toBeGreaterThan(2.6 * DAY_MS);
    expect(clock.now().getTime() - begun).toBeLessThan(3.4 * DAY_MS);
    expect(await read(id)).toMatchObject({ disabledReason: 'FAILING', waiting: 0 });
    expect(await alerts(id)).toEqual([{ detail: 'DISABLED', open: true }]);
    expect((await log(id)).map(({ state }: { state: string }) => state)).toEqual(['SKIPPED', 'GIVEN_UP']);
    receiver.respond(() => ({ status: 204 }));
    await done('POST', `webhooks/${id}/state`, { state: 'ENABLED', reason: REASON });
    expect(await alerts(id)).toEqual([{ detail: 'DISABLED', open: false }]);
    received.length = 0;
    const range = {
      from: new Date(Date.now() - HOUR_MS).toISOString(),
      to: clock.now().toISOString(),
      reason: REASON,
    };
    const replay = { ...range, states: ['GIVEN_UP', 'SKIPPED'] };
    expect(await done('POST', `webhooks/${id}/replay`, replay)).toEqual({ replayed: 2 });
    await until(async () => (await deliveredOf(id)).length === 2);
    expect(received.map(({ event }) => event.type)).toEqual(['member.suspended', 'member.closed']);
    expect(await done('POST', `webhooks/${id}/replay`, replay)).toEqual({ replayed: 0 });
  });

  test('that responds with 410 is disabled at once', async () => {
    const { id } = await endpoint(['member.suspended']);
    receiver.respond(() => ({ status: 410 }));
    await suspend(await env.member(), 'SUSPENDED');
    await until(async () => (await read(id)).state === 'DISABLED');
    expect(await read(id)).toMatchObject({ disabledReason: 'GONE' });
  });
});

describe('operators', () => {
  test('rotate a secret: for 24 hours both sign, then the new one alone', async () => {
    const { id, secret: former } = await endpoint(['member.suspended', 'member.reactivated']);
    const { secret } = await done('POST', `webhooks/${id}/secret`, { reason: REASON });
    expect(secret).not.toBe(former);
    const member = await env.member();
    await suspend(member, 'SUSPENDED');
    await until(async () => received.length === 1);
    expect([isSignedBy(former, received[0]!), isSignedBy(secret, received[0]!)]).toEqual([true, true]);
    clock.push(DAY_MS + 1);
    await suspend(member, 'ACTIVE');
    await until(async () => received.length === 2);
    expect([isSignedBy(former, received[1]!), isSignedBy(secret, received[1]!)]).toEqual([false, true]);
    const { rows } = await env.owner.query('select secret_sealed::text from webhook_endpoint where id = $1', [
      id,
    ]);
    expect(Buffer.from(rows[0].secret_sealed.slice(2), 'hex').includes(Buffer.from(secret))).toBe(false);
  });

  test('send a test to a disabled endpoint, once, for any response', async () => {
    const { id } = await endpoint(['member.suspended']);
    await done('POST', `webhooks/${id}/state`, { state: 'DISABLED', reason: REASON });
    receiver.respond(() => ({ status: 500 }));
    const { deliveryId } = await done('POST', `webhooks/${id}/test`);
    await until(async () => (await log(id))[0]?.state === 'GIVEN_UP');
    expect(received.map(({ event }) => event)).toMatchObject([
      { type: 'webhook.test', data: { endpointId: id } },
    ]);
    expect((await done('GET', `webhook-deliveries/${deliveryId}`)).attempts).toHaveLength(1);
    expect(await read(id)).toMatchObject({ failingSince: null });
  });

  test('deliver one event again under its id, and not while it waits or the endpoint is disabled', async () => {
    const { id } = await endpoint(['member.suspended']);
    await suspend(await env.member(), 'SUSPENDED');
    await until(async () => (await deliveredOf(id)).length === 1);
    const [{ id: deliveryId }] = await log(id);
    const replay = () => call('POST', `webhook-deliveries/${deliveryId}/replay`);
    receiver.respond(() => ({ status: 500 }));
    expect((await replay()).status).toBe(200);
    expect(await replay()).toMatchObject({ status: 409, body: { message: 'ROW_CHANGED' } });
    await until(async () => received.length === 2);
    expect(new Set(idsOf(received)).size).toBe(1);
    await done('POST', `webhooks/${id}/state`, { state: 'DISABLED', reason: REASON });
    expect((await replay()).status).toBe(409);
    expect((await call('POST', 'webhook-deliveries/x/replay')).status).toBe(404);
  });

  test('change an endpoint only as they have seen it, where they say what they have seen', async () => {
    const { id } = await endpoint(['member.suspended', 'deposit.credited']);
    const { url, description, events, currency } = await read(id);
    const seen = { url, description, events, currency };
    const save = (change: object, more: object = {}) =>
      call('PUT', `webhooks/${id}`, { ...seen, ...change, reason: REASON, ...more });
    expect((await save({ currency: 'BAHT' }, { seen })).status).toBe(200);
    expect(await save({ description: 'later' }, { seen })).toMatchObject({
      status: 409,
      body: { message: 'ROW_CHANGED' },
    });
    expect(await read(id)).toMatchObject({ description, currency: 'BAHT' });
    expect((await save({ description: 'later' }, { seen: { ...seen, currency: 'BAHT' } })).status).toBe(200);
    expect((await save({ description: 'as before' })).status).toBe(200);
  });

  test('add endpoints up to the limit, at addresses that may be called', async () => {
    const body = { url: 'https://10.0.0.1/', description: 'x', events: ALL, currency: null, reason: REASON };
    expect(await call('POST', 'webhooks', body)).toMatchObject({
      status: 400,
      body: { message: 'WEBHOOK_URL' },
    });
    const made = await Promise.all(
      Array.from({ length: 22 }, () => call('POST', 'webhooks', { ...body, url: 'https://hooks.example/' })),
    );
    expect(made.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(made.find(({ status }) => status !== 200)?.body).toMatchObject({ message: 'TOO_MANY_WEBHOOKS' });
    const { id } = made.find(({ status }) => status === 200)!.body;
    const change = { ...body, url: receiver.url, currency: 'BAHT' };
    await done('PUT', `webhooks/${id}`, change);
    expect(await read(id)).toMatchObject({ url: receiver.url, currency: 'BAHT' });
    expect((await operators.audit(`webhook:${id}`)).map(({ action }) => action)).toEqual([
      'webhook.create',
      'webhook.change',
    ]);
  });
});
