import { expect, test } from 'vitest';
import { verifyLedger } from '../../ledger/index.ts';
import { startTown, until } from '../../testing/town.ts';
import { STATEMENT_CHECK } from '../statement/read.ts';

const town = await startTown();
await town.set('feed.seconds', 1);

test.each([
  ['SCB', '2223334445'],
  ['KBANK', '3334445556'],
  ['GSB', '020123456789'],
])(
  'a transfer to the shown account at %s is in the wallet within a minute, without anybody’s doing',
  async (toBank, toAccount) => {
    const member = await town.member();
    await until(async () => (await town.pool.query('select 1 from bank_feed')).rows.length >= 4);
    await town.control('transfer', { phone: member.phone, amount: 500, toBank, toAccount });
    await until(async () => (await town.balance(member)) === 50_000n, 60_000);
    expect(await verifyLedger(town.pool, [STATEMENT_CHECK])).toEqual([]);
  },
);
