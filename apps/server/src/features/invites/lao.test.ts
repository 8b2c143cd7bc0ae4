import { expect, test } from 'vitest';
import { startTestEnv, type TestMember } from '../../testing/test-env.ts';

const env = await startTestEnv({ jobs: false, environment: { VARIANT: 'la' } });

let serial = 0;
/** An invited member pays in so much of their currency's least units; returns what it earns. */
async function paysIn(inviter: TestMember, currency: string, amount: number) {
  const friend = await env.member();
  await env.owner.query('update member set inviter_id = $1, currency = $2 where id = $3', [
    inviter.id,
    currency,
    friend.id,
  ]);
  const id = `DPLAO${++serial}`;
  await env.owner.query(
    `insert into deposit (id, member_id, channel, bank_code, bank_reference, amount, from_stranger, entry_id, created_at)
     values ($1, $2, 'AUTO', 'BCEL', $1, $3, false, $4, now())`,
    [id, friend.id, amount, serial],
  );
  const { rows } = await env.pool.query(
    'select state, reason, amount, needed from invite_credit where deposit_id = $1',
    [id],
  );
  return rows[0];
}

test('in kip an invite earns whole kip, at most 350,000, and nothing across currencies', async () => {
  const inviter = await env.member();
  await env.owner.query("update member set currency = 'LAK' where id = $1", [inviter.id]);
  expect(await paysIn(inviter, 'LAK', 70_019)).toMatchObject({
    state: 'ACCRUED',
    amount: 3_500n,
    needed: 210_057n,
  });
  expect(await paysIn(inviter, 'LAK', 90_000_000)).toMatchObject({ amount: 350_000n });
  expect(await paysIn(inviter, 'LAK', 19)).toMatchObject({ state: 'BARRED', reason: 'SMALL', amount: 0n });
  expect(await paysIn(inviter, 'BAHT', 10_000)).toMatchObject({ state: 'BARRED', reason: 'CURRENCY' });
  const { body } = await env.call('GET', '/api/wallet', undefined, { token: inviter.token });
  expect(body.invite.amount).toBe(353_500);
});
