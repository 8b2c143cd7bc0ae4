import type { AlertKind } from '@krapao/contract/operator';
import { expect, test } from 'vitest';
import { openAlert } from '../../platform/alerts.ts';
import type { EntityRef } from '../../platform/entity-ref.ts';
import { operatorHelpers, type TestOperator } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const [som, lek, risk, support] = await Promise.all(
  ['finance', 'finance', 'risk', 'support'].map((role) => operators.operator(role)),
);

let serial = 0;

/** Opens an alert about a subject of its own, or about one given. */
async function open(kind: AlertKind = 'payout-unknown', subject: EntityRef = `withdrawal:WA${++serial}`) {
  expect(await openAlert(env.pool, { kind, subject, detail: 'silent' }, env.app.deps.clock.now())).toBe(true);
  const { rows } = await env.pool.query(
    'select id::text as id from alert where kind = $1 and subject = $2 and closed_at is null',
    [kind, subject],
  );
  return { id: rows[0].id as string, subject };
}
const perform = (as: TestOperator | undefined, id: string, what: string, body: object | undefined = {}) =>
  operators.call(as!, 'POST', `/api/operator/alerts/${id}/${what}`, what === 'release' ? undefined : body);
const list = async (as: TestOperator | undefined, query = '') =>
  (await operators.call(as!, 'GET', `/api/operator/alerts${query}`)).body;
const find = async (id: string, query = '') =>
  // biome-ignore lint/suspicious/noExplicitAny: the reply of an injected call
  (await list(som, query)).alerts.find((row: any) => row.id === id);
const actions = async (subject: string) =>
  (await operators.audit(subject)).map(({ action, actor, before, after, reason }) => ({
    action,
    actor,
    before,
    after,
    reason,
  }));

test('an alert is taken, released and resolved with a reason, each step once in the trail', async () => {
  const { id, subject } = await open();
  expect(await find(id)).toMatchObject({ state: 'OPEN', assignee: null, closedAt: null, dismissed: null });
  for (const _ of [1, 2]) expect((await perform(som, id, 'take')).status).toBe(200);
  expect(await find(id, '?assigned=mine')).toMatchObject({
    state: 'INVESTIGATING',
    assignee: { by: som!.name, mine: true },
  });
  expect(await list(lek, '?assigned=mine')).toMatchObject({ total: 0 });
  for (const _ of [1, 2]) expect((await perform(som, id, 'release')).status).toBe(200);
  const reason = 'the bank has paid';
  for (const _ of [1, 2]) expect((await perform(som, id, 'resolve', { reason })).status).toBe(200);
  expect(await find(id)).toBeUndefined();
  expect(await find(id, '?state=RESOLVED')).toMatchObject({ closedBy: `operator:${som!.name}`, reason });
  expect(await perform(som, id, 'dismiss', { reason })).toMatchObject({
    status: 409,
    body: { message: 'ROW_CHANGED', data: { state: 'RESOLVED' } },
  });
  const actor = `operator:${som!.name}`;
  const kind = 'payout-unknown';
  const investigating = { kind, state: 'INVESTIGATING', by: som!.name };
  expect(await actions(subject)).toEqual([
    {
      action: 'alert.take',
      actor,
      before: { kind, state: 'OPEN' },
      after: { state: 'INVESTIGATING', by: som!.name },
      reason: null,
    },
    { action: 'alert.release', actor, before: investigating, after: { state: 'OPEN' }, reason: null },
    { action: 'alert.resolve', actor, before: { kind, state: 'OPEN' }, after: { state: 'RESOLVED' }, reason },
  ]);
});

test('assigns an alert to one of twenty concurrent callers and names that operator to the others', async () => {
  const { id, subject } = await open();
  const crowd = await Promise.all(Array.from({ length: 20 }, () => operators.operator('finance')));
  const taken = await Promise.all(crowd.map((one) => perform(one, id, 'take')));
  const winner = crowd[taken.findIndex(({ status }) => status === 200)]!;
  const lost = taken.filter(({ status }) => status !== 200);
  expect(lost).toHaveLength(19);
  for (const reply of lost)
    expect(reply).toMatchObject({ status: 409, body: { message: 'CLAIMED', data: { by: winner.name } } });
  const loser = crowd.find((one) => one !== winner)!;
  expect(await perform(loser, id, 'resolve', { reason: 'looked at it' })).toMatchObject({
    body: { message: 'CLAIMED', data: { by: winner.name } },
  });
  // Taking over names the assigned operator, so that it never takes from a third one.
  expect((await perform(loser, id, 'take', { from: 'somebody' })).body.message).toBe('CLAIMED');
  expect((await perform(loser, id, 'take', { from: winner.name })).status).toBe(200);
  expect((await perform(winner, id, 'resolve', { reason: 'looked at it' })).body.message).toBe('CLAIMED');
  expect(await actions(subject)).toHaveLength(2);
});

test('resolved and dismissed at once, an alert ends one way', async () => {
  const { id, subject } = await open();
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      perform(at % 4 < 2 ? som : lek, id, at % 2 ? 'resolve' : 'dismiss', { reason: `reason ${at}` }),
    ),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await actions(subject)).toHaveLength(1);
});

test('a reason for dismissal is shown at the next alert of the same rule and subject only', async () => {
  const { id, subject } = await open('transfer-unknown', 'transfer:TR-again');
  const reason = 'the provider is in maintenance until noon';
  await perform(som, id, 'dismiss', { reason });
  expect((await perform(som, id, 'take')).body).toMatchObject({
    message: 'ROW_CHANGED',
    data: { state: 'DISMISSED' },
  });
  const next = await open('transfer-unknown', subject);
  expect((await find(next.id)).dismissed).toMatchObject({ by: `operator:${som!.name}`, reason });
  expect((await find((await open('transfer-contradicts', subject)).id)).dismissed).toBeNull();
  expect((await find((await open('transfer-unknown')).id)).dismissed).toBeNull();
});

test('alerts are shown to and ended by those who may open their subjects', async () => {
  const transfer = await open('transfer-contradicts');
  const slip = await open('slip-review', 'slip:SL0');
  const ids = async (as: TestOperator | undefined) =>
    (await list(as)).alerts.map((row: { id: string }) => row.id);
  expect(await ids(support)).toContain(slip.id);
  expect(await ids(support)).not.toContain(transfer.id);
  expect((await perform(support, slip.id, 'take')).status).toBe(403);
  const unclear = await open('transfer-unclear', 'doubt:0');
  expect(await ids(risk)).not.toContain(unclear.id);
  expect((await perform(risk, unclear.id, 'take')).body.message).toBe('NO_DATA');
  const { body } = await operators.call(support!, 'GET', '/api/operator/today');
  expect(body.waiting.alerts.count).toBe((await ids(support)).length);
  // Queues that support may not open are not counted for it.
  expect(body.waiting).toMatchObject({
    unmatched: null,
    approvals: null,
    transfers: null,
    withdrawals: { count: 0 },
  });
});

test('states and kinds are combined: several are wanted, or some are left out', async () => {
  const [silent, taken, over] = [await open('feed-silent', 'deposit-account:77'), await open(), await open()];
  await perform(som, taken.id, 'take');
  await perform(som, over.id, 'dismiss', { reason: 'a drill' });
  const found = async (query: string) => {
    const { alerts } = await list(som, `?limit=100&${query}`);
    const ids: string[] = alerts.map(({ id }: { id: string }) => id);
    return [silent, taken, over].map(({ id }) => ids.includes(id));
  };
  expect(await found('')).toEqual([true, true, false]);
  expect(await found('state=OPEN,DISMISSED')).toEqual([true, false, true]);
  expect(await found('state=!OPEN')).toEqual([false, true, true]);
  expect(await found('kind=payout-unknown')).toEqual([false, true, false]);
  expect(await found('kind=!payout-unknown&state=OPEN,INVESTIGATING')).toEqual([true, false, false]);
  expect(await found('kind=payout-unknown,feed-silent&state=!DISMISSED')).toEqual([true, true, false]);
  // A kind whose subjects the operator may not open is not shown by asking for it.
  expect((await list(support, '?kind=payouts-paused,feed-silent')).alerts).toEqual([]);
  expect((await operators.call(som!, 'GET', '/api/operator/alerts?state=LATE')).status).toBe(400);
});

test('an alert that ends with its cause records that, with any investigator', async () => {
  const { id, subject } = await open('gift-unknown', 'gift:GV0');
  await perform(som, id, 'take');
  for (const _ of [1, 2]) await env.pool.query('select alert_end($1, $2, now())', ['gift-unknown', subject]);
  expect(await find(id, '?state=RESOLVED')).toMatchObject({ closedBy: 'system', reason: null });
  expect((await actions(subject)).slice(1)).toEqual([
    {
      action: 'alert.resolve',
      actor: 'system',
      before: { kind: 'gift-unknown', state: 'INVESTIGATING' },
      after: { state: 'RESOLVED' },
      reason: null,
    },
  ]);
});

test('the database takes no alert of a kind that the contract does not list', async () => {
  await expect(
    env.pool.query(
      "insert into alert (kind, subject, detail, opened_at) values ('made-up', 'x:1', '', now())",
    ),
  ).rejects.toMatchObject({ code: '23514' });
});
