/** How many rows the look-ups of operators read where there are very many. */
import { beforeAll, expect, test } from 'vitest';
import { insertRecent, LISTED } from '../testing/listed-rows.ts';
import { operatorHelpers } from '../testing/operator.ts';
import { reportedPlans } from '../testing/reported-plans.ts';
import { startTestEnv } from '../testing/test-env.ts';

const env = await startTestEnv({ jobs: false });
const operators = operatorHelpers(env);
const { superuser, wide, start: reportPlans } = await reportedPlans(env);
const mali = await operators.operator('marketing');

/** Rows in each table. With fewer, reading all of them is at times the best plan. */
const ROWS = 20_000;
/** Members that a list of coupons names. */
const NAMED = 70;

beforeAll(async () => {
  for (const name of ['members'])
    await superuser.query(insertRecent(LISTED[name]!, ROWS, env.app.deps.secrets));
  await superuser.query('analyze');
  await reportPlans();
}, 60_000);

test('the members of a list of coupons are found by indexes, by phone and by id', async () => {
  const members = await superuser.query(
    `select phone, id::text from member where id > 700000000 limit ${NAMED}`,
  );
  for (const column of ['phone', 'id']) {
    const prize = {
      name: { th: 'ก', la: 'ກ', en: 'x' },
      kind: 'CASH',
      value: 50,
      terms: null,
      couponDays: 7,
    };
    const granted = await operators.call(mali, 'POST', '/api/operator/coupons', {
      prize: { currency: 'BAHT', prize },
      members: members.rows.map((row) => row[column]),
      check: true,
      key: `${column}-of-a-list`,
      reason: 'a list',
    });
    expect(granted).toMatchObject({ status: 200, body: { state: 'CHECKED' } });
  }
  expect(Object.fromEntries(wide)).toEqual({});
});
