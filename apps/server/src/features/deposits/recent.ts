import { type Currency, fromMinor } from '@krapao/contract/shared';
import type { Db } from '../../platform/database/db.ts';

/** The number of recent deposits that decide a member's usual channel. */
const RECENT = 3;

/** The mode in which a deposit's channel is offered: a slip proves a transfer to an account. */
const MODES = { QR: 'QR', AUTO: 'AUTO', SLIP: 'AUTO', GIFT: 'LINK' } as const;

/** The member's last deposits that arrived by a channel of their choice, newest first. */
export async function readRecent(db: Db, { id, currency }: { id: bigint; currency: Currency }) {
  const result = await db.query(
    `select bank_code, channel, amount from deposit
     where member_id = $1 and reversal_id is null and channel in ('QR', 'AUTO', 'SLIP', 'GIFT')
     order by created_at desc limit $2`,
    [id, RECENT],
  );
  return result.rows.map(({ bank_code, channel, amount }) => ({
    bankCode: bank_code,
    mode: MODES[channel as keyof typeof MODES],
    amount: fromMinor(amount, currency),
  }));
}
