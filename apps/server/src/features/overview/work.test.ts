import { HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { expect, test } from 'vitest';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { dayStart } from './day-start.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const [finance, colleague, support, auditor, lead] = await Promise.all(
  ['finance', 'finance', 'support', 'auditor', 'finance-lead'].map((role) => operators.operator(role)),
);

const work = async (as: TestOperator) => {
  const { status, body } = await operators.call(as, 'GET', '/api/operator/work');
  expect([status, body]).toEqual([200, body]);
  return body;
};
const shortOf = (items: { kind: string; id: string }[]) => items.map(({ kind, id }) => `${kind} ${id}`);

/** A withdrawal that has waited so many minutes for an operator. */
async function waiting(minutes: number, amount: number): Promise<string> {
  const member = await env.member({ amountMinor: BigInt(amount) * 100n });
  const { body } = await env.call('POST', '/api/wallet/withdraw', { amount }, { token: member.token });
  await env.owner.query(
    "update withdrawal set status = 'REVIEW', created_at = now() - $2 * interval '1 minute' where id = $1",
    [body.id, minutes],
  );
  return body.id;
}
async function stray(minutes: number, reference: string): Promise<string> {
  const { rows } = await env.owner.query(
    `insert into bank_transaction (bank_code, bank_reference, amount, currency, payer_bank, payer_mask, payer_sealed, paid_at, received_at, state)
     values ('SCB', $2, 5000, 'BAHT', '004', '', '', now(), now() - $1 * interval '1 minute', 'UNMATCHED') returning id`,
    [minutes, reference],
  );
  return String(rows[0].id);
}

const [late, fresh] = [await waiting(40, 10_000), await waiting(3, 12_000)];
const old = await stray(100, 'STRAY1');

test('the next item is the one that has waited the largest share of its queue’s target', async () => {
  const { next, oldest, mine } = await work(finance!);
  expect(next).toMatchObject({ kind: 'withdrawals', id: late, isLate: true, mine: false, amount: 10_000 });
  expect(shortOf(oldest).slice(0, 3)).toEqual([
    `unmatched ${old}`,
    `withdrawals ${late}`,
    `withdrawals ${fresh}`,
  ]);
  expect(oldest[0]).toMatchObject({ title: 'STRAY1', currency: 'BAHT', amount: 50, isLate: true });
  expect(mine).toEqual([]);
});

test('what is late beyond measure does not stand before a queue with a shorter target', async () => {
  await env.owner.query(
    "update bank_transaction set received_at = now() - interval '30 days' where id = $1",
    [old],
  );
  await env.owner.query("update withdrawal set created_at = now() - interval '3 hours' where id = $1", [
    late,
  ]);
  expect((await work(finance!)).next.id).toBe(late);
});

test('an assigned item is first for its operator, and hidden from the others', async () => {
  expect(
    (await operators.call(finance!, 'POST', `/api/operator/withdrawals/${fresh}/claim`, {})).status,
  ).toBe(200);
  const own = await work(finance!);
  expect([own.next.id, shortOf(own.mine), shortOf(own.oldest).includes(`withdrawals ${fresh}`)]).toEqual([
    fresh,
    [`withdrawals ${fresh}`],
    false,
  ]);
  const others = await work(colleague!);
  expect([...shortOf(others.oldest), ...shortOf(others.mine)]).not.toContain(`withdrawals ${fresh}`);
});

test('shows only work that the operator has permission for', async () => {
  const kinds = async (as: TestOperator) => {
    const { next, oldest, mine } = await work(as);
    return new Set([...(next ? [next] : []), ...oldest, ...mine].map(({ kind }) => kind));
  };
  expect(await kinds(support!)).toEqual(new Set());
  expect(await kinds(auditor!)).toEqual(new Set());
  expect((await operators.call(null, 'GET', '/api/operator/work')).status).toBe(401);
});

test('shows a request to others than its maker, and hides its withdrawal meanwhile', async () => {
  const big = await waiting(50, 24_000);
  await operators.call(finance!, 'POST', `/api/operator/withdrawals/${big}/claim`, {});
  const { body } = await operators.call(finance!, 'POST', `/api/operator/withdrawals/${big}/approve`, {
    status: 'REVIEW',
  });
  expect(body.approval).toEqual(expect.any(String));
  const seen = async (as: TestOperator) => {
    const { next, oldest, mine } = await work(as);
    return shortOf([...(next ? [next] : []), ...oldest, ...mine]);
  };
  expect(await seen(finance!)).not.toContain(`withdrawals ${big}`);
  expect(await seen(finance!)).not.toContain(`approvals ${body.approval}`);
  expect(await seen(lead!)).toContain(`approvals ${body.approval}`);
});

test('what was just decided, or waits for a second person, is no next item of anyone', async () => {
  await env.set('desk.undoSeconds', 60);
  const small = await waiting(20, 1_000);
  const asked = await stray(200, 'STRAY2');
  const seen = async (as: TestOperator) => {
    const { next, oldest, mine } = await work(as);
    return shortOf([...(next ? [next] : []), ...oldest, ...mine]);
  };
  const both = [`withdrawals ${small}`, `unmatched ${asked}`];
  expect(await seen(colleague!)).toEqual(expect.arrayContaining(both));
  const perform = (path: string, body: object = {}) =>
    operators.call(finance!, 'POST', `/api/operator/${path}`, body);
  await perform(`withdrawals/${small}/claim`);
  expect((await perform(`withdrawals/${small}/approve`, { status: 'REVIEW' })).body).toMatchObject({
    undoSeconds: 60,
  });
  await perform(`unmatched/${asked}/claim`);
  const { body } = await perform(`unmatched/${asked}/return`, {
    reason: 'sent by mistake',
    proof: 'slip 17',
  });
  expect(body).toMatchObject({ state: 'UNMATCHED', approval: expect.any(String) });
  for (const as of [finance!, colleague!])
    for (const item of both) expect(await seen(as)).not.toContain(item);
});

test('hours of today stand beside those of yesterday and of the same weekday, until this time', async () => {
  const member = await env.member();
  const now = env.app.deps.clock.now();
  const midnight = dayStart(now).getTime();
  const insert = (id: string, at: number, amount: number) =>
    env.owner.query(
      `insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, entry_id, from_stranger, created_at)
       values ($1, $2, 'QR', 'KBANK', $1, $3, 0, false, $4)`,
      [id, member.id, amount, new Date(at)],
    );
  const yesterday = midnight - 24 * HOUR_MS;
  await insert('D1', yesterday + 30 * MINUTE_MS, 10_000);
  await insert('D2', yesterday + 23 * HOUR_MS + 59 * MINUTE_MS, 20_000);
  await insert('D3', midnight - 7 * 24 * HOUR_MS, 5_000);
  const { body } = await operators.call(auditor!, 'GET', '/api/operator/today/hours');
  const day = (name: string) =>
    body.days.find((one: { name: string; currency: string }) => one.name === name && one.currency === 'BAHT');
  expect(body.hour).toBe(Math.floor((now.getTime() - midnight) / HOUR_MS));
  expect([day('yesterday').in[0], day('yesterday').in[23], day('weekBefore').in[0]]).toEqual([100, 200, 50]);
  const isLateDay = now.getTime() - midnight > 23 * HOUR_MS + 59 * MINUTE_MS;
  expect(day('yesterday').inByNow).toBe(
    (now.getTime() - midnight > 30 * MINUTE_MS ? 100 : 0) + (isLateDay ? 200 : 0),
  );
  expect((await operators.call(support!, 'GET', '/api/operator/today/hours')).status).toBe(403);
});
