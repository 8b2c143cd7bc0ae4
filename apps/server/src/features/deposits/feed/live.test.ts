import { expect, test } from 'vitest';
import { verifyLedger } from '../../../ledger/index.ts';
import { startTestEnv, until } from '../../../testing/test-env.ts';
import { STATEMENT_CHECK } from '../../statement/read.ts';

const env = await startTestEnv();
await env.set('feed.seconds', 1);

test.each([
  ['SCB', '2223334445'],
  ['KBANK', '3334445556'],
  ['GSB', '020123456789'],
])(
  'a transfer to the shown account at %s is in the wallet within a minute, automatically',
  async (toBank, toAccount) => {
    const member = await env.member();
    await until(async () => (await env.pool.query('select 1 from bank_feed')).rows.length >= 4);
    await env.control('transfer', { phone: member.phone, amount: 500, toBank, toAccount });
    await until(async () => (await env.balance(member)) === 50_000n);
    expect(await verifyLedger(env.pool, [STATEMENT_CHECK])).toEqual([]);
  },
);
