import { BANGKOK_OFFSET_MS, DAY_MS } from '@krapao/contract/durations';
import { expect, test } from 'vitest';
import { operatorHelpers } from '../../testing/operator.ts';
import { startTestEnv, type TestMember, until } from '../../testing/test-env.ts';
import { pushedClock } from '../testing.ts';

const clock = pushedClock();
const env = await startTestEnv({ jobs: false, clock });
const operators = operatorHelpers(env);

async function request(member: TestMember, amount: number): Promise<string> {
  const { body } = await env.call('POST', '/api/wallet/withdraw', { amount }, { token: member.token });
  return body.id;
}

/** Pays a withdrawal through the bank. */
async function pay(id: string): Promise<void> {
  await env.app.runJob('withdrawals.pay');
  await env.control('clock', { advanceMs: 2_000 });
  await until(async () => {
    await env.app.runJob('withdrawals.ask', { id });
    const { rows } = await env.pool.query('select status from withdrawal where id = $1', [id]);
    return rows[0].status === 'SUCCESS';
  });
}

test('the withdrawals of a day in the cash report are those paid on it, whenever they were requested', async () => {
  // Far from midnight in Bangkok.
  clock.push(DAY_MS - ((clock.now().getTime() + BANGKOK_OFFSET_MS) % DAY_MS) + DAY_MS / 2);
  await env.set('withdraw.oneOpen', false);
  const member = await env.member({ amountMinor: 100_000n });
  const [first, second] = [await request(member, 130), await request(member, 170)];
  await pay(first);
  clock.push(DAY_MS);
  // Sessions have ended meanwhile.
  const third = await request(await env.member({ amountMinor: 100_000n }), 190);
  await pay(second);
  await pay(third);
  const lead = await operators.operator('finance-lead');
  const [today, yesterday] = [0, DAY_MS].map((ago) =>
    new Date(clock.now().getTime() - ago + BANGKOK_OFFSET_MS).toISOString().slice(0, 10),
  );
  const { rows } = (
    await operators.call(lead, 'GET', `/api/operator/figures/cash?from=${yesterday}&to=${today}`)
  ).body;
  const sums: number[] = rows.map((row: { withdrawals: number }) => row.withdrawals);
  expect(sums).toEqual([360, 130]);
  for (const [index, day] of [today, yesterday].entries()) {
    const paidFrom = `${day}T00:00:00+07:00`;
    const paidTo = new Date(Date.parse(paidFrom) + DAY_MS).toISOString();
    const { body } = await operators.call(
      lead,
      'GET',
      `/api/operator/withdrawals?${new URLSearchParams({ paidFrom, paidTo })}`,
    );
    expect(body.sums).toEqual([{ currency: 'BAHT', amount: sums[index] }]);
  }
});
