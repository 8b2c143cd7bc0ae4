import { expect, test } from 'vitest';
import { untilWaiting } from '../../testing/lock-waiters.ts';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const leads = await Promise.all([operators.operator('finance-lead'), operators.operator('finance-lead')]);

/** Two open differences of a run, with its alert. */
async function twoOpen(source: string): Promise<string[]> {
  const { rows } = await env.owner.query(
    `with run as (
       insert into reconciliation_run (day, source, currency, state) values ('2026-01-05', $1, 'BAHT', 'COMPARED') returning day, source),
     noticed as (
       insert into alert (kind, subject, detail, opened_at) values ('reconciliation', 'reconciliation:2026-01-05:' || $1, '2', now()))
     insert into reconciliation_difference (day, source, currency, kind, mark, direction, state, found_at, their_amount)
     select day, source, 'BAHT', 'MISSING_OURS', 'M' || n, 'IN', 'OPEN', now(), 100 from run, generate_series(1, 2) n returning id::text`,
    [source],
  );
  return rows.map(({ id }) => id);
}

test('the alert of a run ends when its last two differences are explained at once', async () => {
  for (const source of ['bank:A', 'bank:B', 'bank:C', 'bank:D', 'bank:E']) {
    const ids = await twoOpen(source);
    const holder = await env.owner.connect();
    await holder.query('begin');
    await holder.query('select 1 from reconciliation_difference where source = $1 for update', [source]);
    const explained = ids.map((id, at) => {
      const path = `/api/operator/reconciliation/differences/${id}/explain`;
      return operators.call(leads[at]!, 'POST', path, { reason: 'their settlement was late' });
    });
    await untilWaiting(env, 2);
    await holder.query('commit');
    holder.release();
    expect((await Promise.all(explained)).map(({ status }) => status)).toEqual([200, 200]);
  }
  const open = "select subject, detail from alert where kind = 'reconciliation' and closed_at is null";
  expect((await env.owner.query(open)).rows).toEqual([]);
});
