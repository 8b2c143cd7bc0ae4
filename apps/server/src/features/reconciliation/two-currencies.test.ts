import { HOUR_MS, MINUTE_MS } from '@krapao/contract/durations';
import { expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv } from '../../testing/test-env.ts';
import { laoMembers } from '../registration/testing-lao.ts';
import { pass, pushedClock } from '../testing.ts';
import { addDays, dayAt, spanOf } from './days.ts';
import { runDay } from './run.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock, environment: { VARIANT: 'la' } });
const operators = operatorHelpers(env);
const laoMember = laoMembers(env);
const ACCOUNT = '010120008887';
const BCEL = `bank:BCEL:${ACCOUNT}`;

test('manual payouts in kip are held against the first account in kip, though one in baht of that bank stands before it', async () => {
  const noon = spanOf(addDays(dayAt(clock.now()), 1))!.from.getTime() + 12 * HOUR_MS;
  await pass(env, clock, noon - clock.now().getTime());
  await env.owner.query(
    `insert into deposit_account (bank_code, bank_type, mode, account_name, account_no, currency, position)
     values ('BCEL', 'BANK', 'AUTO', 'KRAPAO CO LTD', '020110001112223', 'BAHT', 0)`,
  );
  await env.app.runJob('feeds.read');
  await env.set('desk.makerChecker', false);
  const lead = await operators.operator('finance-lead');
  const member = await laoMember();
  const to = { toBank: 'BCEL', toAccount: ACCOUNT };
  await env.control('transfer', { phone: member.phone, amount: 900_000, ...to });
  await env.app.runJob('feeds.read');
  const requested = { token: member.token };
  const { body } = await env.call('POST', '/api/wallet/withdraw', { amount: 800_000 }, requested);
  const { rows } = await env.pool.query('select status from withdrawal where id = $1', [body.id]);
  await env.control('transfer', {
    fromAccount: `BCEL:${ACCOUNT}`,
    toBank: 'BCEL',
    toAccount: '010120000011',
    amount: 800_000,
  });
  const withdrawal = `/api/operator/withdrawals/${body.id}`;
  await operators.call(lead, 'POST', `${withdrawal}/claim`, {});
  const paid = { status: rows[0].status, proof: 'by the branch', bankCode: 'BCEL' };
  expect(await operators.call(lead, 'POST', `${withdrawal}/paid`, paid)).toMatchObject({ status: 200 });
  await pass(env, clock, 3 * MINUTE_MS);
  const day = dayAt(clock.now());
  await runDay(env.app.deps, day, BCEL);
  const run = 'select state from reconciliation_run where day = $1 and source = $2';
  expect((await env.owner.query(run, [day, BCEL])).rows).toEqual([{ state: 'COMPARED' }]);
  const differences = 'select kind, direction from reconciliation_difference where day = $1 and source = $2';
  expect((await env.owner.query(differences, [day, BCEL])).rows).toEqual([]);
});
